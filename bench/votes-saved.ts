import { meanVotesUntilSettled, simulateVotes } from './vote-simulator.ts';

const ITEMS = 20_000;

/**
 * Assumed, not measured: of most items a judge is sure, either way; on some it wavers when it is asked again. By the
 * chance that one vote passes, and how many of a hundred items have it.
 */
const ITEMS_BY_CHANCE: [chance: number, items: number][] = [
  [0.99, 42],
  [0.01, 26],
  [0.9, 8],
  [0.1, 6],
  [0.7, 7],
  [0.3, 5],
  [0.5, 6],
];

/** Votes that `early_stop` buys, against all k. */
export async function benchVotesSaved(): Promise<string[]> {
  const passProbabilities = ITEMS_BY_CHANCE.flatMap(([chance, items]) => new Array<number>(items).fill(chance));
  return [3, 5, 9].map((k) => {
    const votes = simulateVotes({ passProbabilities, items: ITEMS, k, seed: 1 });
    const mean = meanVotesUntilSettled(votes, k) ?? Number.NaN;
    return `k = ${k}: ${mean.toFixed(2)} votes settle the verdict, ${(mean / k).toFixed(2)}x of all ${k}`;
  });
}

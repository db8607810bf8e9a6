import { isVerdictSettled } from '../packages/salvo/src/judge/votes/early-stop.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';

/** Where simulated votes come from: each item's chance to pass, or votes that were recorded for it. */
type VoteSource = { passProbabilities: readonly number[] } | { recorded: readonly (readonly boolean[])[] };

/**
 * k votes on each of a number of items, the same for the same seed. Items beyond those given start over with the first.
 * Recorded votes are drawn without putting back while there are enough of them, so that k recorded votes are only
 * shuffled.
 */
export function simulateVotes(options: VoteSource & { k: number; seed: number; items?: number }): boolean[][] {
  const { k, seed } = options;
  const given = 'recorded' in options ? options.recorded.length : options.passProbabilities.length;
  if (given === 0) return [];
  return Array.from({ length: options.items ?? given }, (_, item) => {
    const random = seededRandom(seed, 'votes', item);
    const source = item % given;
    if ('recorded' in options) return drawVotes(options.recorded[source] ?? [], k, random);
    const chance = options.passProbabilities[source] ?? 0;
    return Array.from({ length: k }, () => random() < chance);
  });
}

/** How many votes, one after another, settle the verdict of all k. Never more than k, never fewer than a majority. */
export function votesUntilSettled(votes: readonly boolean[], k: number): number {
  const quorum = Math.floor(k / 2) + 1;
  let [passed, failed] = [0, 0];
  for (const vote of votes.slice(0, k)) {
    if (vote) passed += 1;
    else failed += 1;
    const cast = passed + failed;
    if (isVerdictSettled({ passed, failed, open: k - cast, openVotes: k - cast, quorum, readable: cast })) return cast;
  }
  throw new RangeError(`${votes.length} votes do not settle a verdict of ${k}`);
}

/** The mean over many items; null without any. */
export function meanVotesUntilSettled(items: readonly (readonly boolean[])[], k: number): number | null {
  return mean(items.map((votes) => votesUntilSettled(votes, k)));
}

/** The first draws of a shuffle (Fisher and Yates), and of another one when the votes run out. */
function drawVotes(recorded: readonly boolean[], k: number, random: () => number): boolean[] {
  if (recorded.length === 0) throw new RangeError('an item without recorded votes cannot be simulated');
  const drawn: boolean[] = [];
  let urn: boolean[] = [];
  while (drawn.length < k) {
    if (urn.length === 0) urn = [...recorded];
    drawn.push(...urn.splice(Math.floor(random() * urn.length), 1));
  }
  return drawn;
}

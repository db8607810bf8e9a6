import { ALPHA_95, studentQuantile } from '../normal.ts';
import { dot, inverse, times } from './solve.ts';

/** One comparison of two players, by their positions. */
export interface Comparison {
  first: number;
  second: number;
  /** 1: the first was preferred, 0: the second, 0.5: neither. */
  score: number;
  /** Comparisons of one cluster, such as a case, may be alike. */
  cluster: string;
}

interface Difference {
  /** How likely the first is preferred to the second, with a tie as half. */
  rate: number;
  interval: [number, number];
  /** Of which those of all pairs together contain the truth in 95%. */
  joint: [number, number];
}

export interface Strengths {
  /** On the scale of log odds; their mean is 0. */
  strengths: { strength: number; interval: [number, number] }[];
  difference(first: number, second: number): Difference;
  clusters: number;
}

/**
 * Each two players that were compared also have a quarter of an imagined tie, in a cluster of its own. Without it, a
 * player that won all comparisons would be infinitely strong, and its interval would have no width.
 */
const IMAGINED = 0.25;

/**
 * Strengths by the model of Bradley and Terry, with a tie as half a win and half a loss. The intervals are those of
 * Student's t with a variance of whole clusters (a sandwich), so that neither ties nor clusters make them too narrow.
 * Null if fewer than two clusters were compared, or if two players are not linked by comparisons.
 */
export function bradleyTerry(comparisons: readonly Comparison[], players: number): Strengths | null {
  const clusters = new Set(comparisons.map(({ cluster }) => cluster)).size;
  if (clusters < 2 || players < 2 || !isConnected(comparisons, players)) return null;
  const pairs = new Map(
    comparisons.map(({ first, second }) => [[first, second].toSorted((a, b) => a - b).join(' '), { first, second }]),
  );
  const imagined = [...pairs].map(([key, pair]) => ({ ...pair, score: 0.5, cluster: `imagined ${key}` }));
  const all = [
    ...comparisons.map((each) => ({ ...each, weight: 1 })),
    ...imagined.map((each) => ({ ...each, weight: IMAGINED })),
  ];
  const { strengths, bread } = fitted(all, players);
  const variance = sandwich(all, { strengths, bread, clusters, players });
  const reach = studentQuantile(clusters - 1);
  const tests = (players * (players - 1)) / 2;
  const jointReach = studentQuantile(clusters - 1, ALPHA_95 / tests);
  const contrastError = (contrast: readonly number[]) =>
    Math.sqrt(Math.max(0, dot(contrast, times(variance, contrast))));
  const unit = (at: number) => strengths.map((_, index) => Number(index === at) - 1 / players);
  return {
    clusters,
    strengths: strengths.map((strength, at) => {
      const error = contrastError(unit(at)) * reach;
      return { strength, interval: [strength - error, strength + error] };
    }),
    difference(first, second) {
      const by = (strengths[first] ?? 0) - (strengths[second] ?? 0);
      const error = contrastError(strengths.map((_, index) => Number(index === first) - Number(index === second)));
      const within = (times: number): [number, number] => [logistic(by - times * error), logistic(by + times * error)];
      return { rate: logistic(by), interval: within(reach), joint: within(jointReach) };
    },
  };
}

type Weighted = Comparison & { weight: number };

const MOST_STEPS = 100;

/** By Newton's method, with steps that never go too far. */
function fitted(comparisons: readonly Weighted[], players: number): { strengths: number[]; bread: number[][] } {
  let strengths = Array.from({ length: players }, () => 0);
  let bread: number[][] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = strengths.map(() => 0);
    // The mean of the strengths is not determined: this keeps it at 0.
    const information = strengths.map(() => strengths.map(() => 1 / players));
    for (const { first, second, score, weight } of comparisons) {
      const rate = logistic((strengths[first] ?? 0) - (strengths[second] ?? 0));
      add(gradient, first, weight * (score - rate));
      add(gradient, second, -weight * (score - rate));
      const certainty = weight * rate * (1 - rate);
      add(information[first], first, certainty);
      add(information[second], second, certainty);
      add(information[first], second, -certainty);
      add(information[second], first, -certainty);
    }
    bread = inverse(information);
    const move = times(bread, gradient);
    const longest = Math.max(...move.map(Math.abs));
    const shorter = longest > 1 ? 1 / longest : 1;
    strengths = strengths.map((strength, at) => strength + shorter * (move[at] ?? 0));
    if (longest < 1e-9) break;
  }
  return { strengths, bread };
}

function add(row: number[] | undefined, at: number, value: number): void {
  if (row) row[at] = (row[at] ?? 0) + value;
}

function sandwich(
  comparisons: readonly Weighted[],
  {
    strengths,
    bread,
    clusters,
    players,
  }: { strengths: number[]; bread: number[][]; clusters: number; players: number },
): number[][] {
  const scores = new Map<string, number[]>();
  for (const { first, second, score, weight, cluster } of comparisons) {
    const residual = Math.sqrt(weight) * (score - logistic((strengths[first] ?? 0) - (strengths[second] ?? 0)));
    const sums = scores.get(cluster) ?? Array.from({ length: players }, () => 0);
    add(sums, first, residual);
    add(sums, second, -residual);
    scores.set(cluster, sums);
  }
  const moves = [...scores.values()].map((sums) => times(bread, sums));
  const factor = clusters / (clusters - 1);
  return strengths.map((_, row) =>
    strengths.map(
      (__, column) => factor * moves.reduce((sum, move) => sum + (move[row] ?? 0) * (move[column] ?? 0), 0),
    ),
  );
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function isConnected(comparisons: readonly Comparison[], players: number): boolean {
  const reached = new Set([0]);
  for (let round = 0; round < players; round += 1) {
    for (const { first, second } of comparisons) {
      if (reached.has(first) || reached.has(second)) reached.add(first).add(second);
    }
  }
  return reached.size === players;
}

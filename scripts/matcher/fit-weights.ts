import { FEATURES } from '../../packages/salvo-arena/src/match/evidence/weighing/features.ts';
import type { Model } from '../../packages/salvo-arena/src/match/evidence/weighing/model.ts';
import type { TrainingPair } from './training-pairs.ts';

export type Weights = Pick<Model, 'bias' | 'weights'>;

/** Keeps weights small where the pairs say little. */
const RIDGE = 2;
const ROUNDS = 8;

/**
 * Logistic regression by Newton's method, with a penalty on large weights. A feature whose weight has the wrong sign is
 * dropped and the rest is fitted again, the worst first, so that agreement never counts against a match.
 */
export function fitWeights(pairs: readonly TrainingPair[]): Weights {
  const rows = pairs.map(({ features, same, weight }) => ({
    values: [1, ...FEATURES.map(({ name }) => features[name])],
    same,
    weight,
  }));
  const used = [true, ...FEATURES.map(() => true)];
  for (;;) {
    const weights = newton(rows, used);
    const worst = wrongSign(weights, used);
    if (worst === null) return named(weights);
    used[worst] = false;
  }
}

interface Row {
  values: readonly number[];
  same: boolean;
  weight: number;
}

function newton(rows: readonly Row[], used: readonly boolean[]): number[] {
  const indices = used.flatMap((is, index) => (is ? [index] : []));
  const size = indices.length;
  const weights = used.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const curvature = Array.from({ length: size }, () => new Float64Array(size));
    const slope = new Float64Array(size);
    const values = new Float64Array(size);
    for (const row of rows) {
      let sum = 0;
      for (let at = 0; at < size; at += 1) {
        const index = indices[at] ?? 0;
        values[at] = row.values[index] ?? 0;
        sum += (values[at] ?? 0) * (weights[index] ?? 0);
      }
      const probability = 1 / (1 + Math.exp(-sum));
      const error = row.weight * ((row.same ? 1 : 0) - probability);
      const certainty = row.weight * probability * (1 - probability);
      for (let at = 0; at < size; at += 1) {
        const value = values[at] ?? 0;
        const line = curvature[at];
        if (value === 0 || line === undefined) continue;
        slope[at] = (slope[at] ?? 0) + error * value;
        for (let other = 0; other < size; other += 1) {
          line[other] = (line[other] ?? 0) + certainty * value * (values[other] ?? 0);
        }
      }
    }
    for (let at = 1; at < size; at += 1) {
      const line = curvature[at];
      if (line !== undefined) line[at] = (line[at] ?? 0) + RIDGE;
      slope[at] = (slope[at] ?? 0) - RIDGE * (weights[indices[at] ?? 0] ?? 0);
    }
    for (const [at, step] of solve(curvature, slope).entries()) {
      const index = indices[at] ?? 0;
      weights[index] = (weights[index] ?? 0) + step;
    }
  }
  return weights;
}

function wrongSign(weights: readonly number[], used: readonly boolean[]): number | null {
  let worst: number | null = null;
  for (const [at, { sign }] of FEATURES.entries()) {
    const index = at + 1;
    const weight = weights[index] ?? 0;
    if (!used[index] || sign * weight >= 0) continue;
    if (worst === null || Math.abs(weight) > Math.abs(weights[worst] ?? 0)) worst = index;
  }
  return worst;
}

function named(weights: readonly number[]): Weights {
  const rounded = weights.map((weight) => Math.round(weight * 1000) / 1000 + 0);
  const entries = FEATURES.map(({ name }, at) => [name, rounded[at + 1] ?? 0] as const);
  return { bias: rounded[0] ?? 0, weights: Object.fromEntries(entries) as Weights['weights'] };
}

/** Gauss elimination; the matrix is symmetric and positive, so no pivot is needed. */
function solve(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const lines = matrix.map((line, at) => [...line, right[at] ?? 0]);
  const size = right.length;
  for (let at = 0; at < size; at += 1) {
    const pivot = lines[at] ?? [];
    for (let below = at + 1; below < size; below += 1) {
      const line = lines[below] ?? [];
      const factor = (line[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column <= size; column += 1) {
        line[column] = (line[column] ?? 0) - factor * (pivot[column] ?? 0);
      }
    }
  }
  const solution: number[] = new Array(size).fill(0);
  for (let at = size - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? [];
    let rest = line[size] ?? 0;
    for (let column = at + 1; column < size; column += 1) rest -= (line[column] ?? 0) * (solution[column] ?? 0);
    solution[at] = rest / (line[at] ?? 1);
  }
  return solution;
}

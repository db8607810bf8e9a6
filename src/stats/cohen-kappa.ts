import { exactSum } from './exact-sum.ts';
import { mean } from './mean.ts';
import { assertPaired } from './paired.ts';

type Label = string | number | boolean;

/**
 * Cohen's kappa: how far two raters agree beyond what chance would give them. 1 is always, 0 is as chance would.
 * Null when it is undefined: fewer than two items, or both raters gave one and the same label to everything.
 */
export function cohenKappa<L extends Label>(a: readonly L[], b: readonly L[]): number | null {
  assertPaired(a, b);
  const items = a.length;
  if (items < 2) return null;
  const ofB = counts(b);
  let agreed = 0;
  for (const [index, label] of a.entries()) agreed += label === b[index] ? 1 : 0;
  let byChance = 0;
  for (const [label, count] of counts(a)) byChance += count * (ofB.get(label) ?? 0);
  // In whole numbers, so that perfect agreement is exactly 1 and none beyond chance exactly 0.
  const beyond = items * items - byChance;
  return beyond === 0 ? null : (items * agreed - byChance) / beyond;
}

/**
 * Kappa with quadratic weights for scores: a miss counts by the square of its distance. The same number as Lin's
 * concordance correlation, so it needs no list of categories.
 * Null with fewer than two items, or when neither rater ever gave another score than the same one.
 */
export function quadraticKappa(a: readonly number[], b: readonly number[]): number | null {
  assertPaired(a, b);
  const [meanA, meanB] = [mean(a), mean(b)];
  if (meanA === null || meanB === null || a.length < 2) return null;
  const missed = exactSum(a.map((score, index) => (score - (b[index] ?? Number.NaN)) ** 2));
  const byChance =
    exactSum(a.map((score) => (score - meanA) ** 2)) +
    exactSum(b.map((score) => (score - meanB) ** 2)) +
    a.length * (meanA - meanB) ** 2;
  return byChance === 0 ? null : Math.max(-1, 1 - missed / byChance);
}

function counts<L extends Label>(labels: readonly L[]): Map<L, number> {
  const counted = new Map<L, number>();
  for (const label of labels) counted.set(label, (counted.get(label) ?? 0) + 1);
  return counted;
}

import { quantile } from '../quantile.ts';
import { type AgreementTable, assertPaired, tableKappa } from './cohen-kappa.ts';

const RESAMPLES = 2000;
/**
 * Added to each cell of the table, one item in all. Without it, raters who agreed on all of 20 items would get an
 * interval from 1 to 1, and intervals for a true kappa of 0.9 would contain it only 13 times in 20.
 */
const IMAGINED = 0.25;

/**
 * A 95% interval of Cohen's kappa of two raters who say yes or no: percentiles of a smoothed bootstrap over the items.
 * The same numbers from `random` give the same interval.
 * Null when kappa is undefined.
 */
export function kappaInterval(
  a: readonly boolean[],
  b: readonly boolean[],
  random: () => number,
): [number, number] | null {
  assertPaired(a, b);
  // An item is one of only four kinds, so drawing an item is drawing a kind.
  const counts: AgreementTable = [0, 0, 0, 0];
  for (const [index, said] of a.entries()) counts[cell(said, b[index] === true)] += 1;
  const kappa = tableKappa(counts);
  if (a.length < 2 || kappa === null) return null;
  const kappas: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    const drawn = tableKappa(draw(counts, a.length, random));
    if (drawn !== null) kappas.push(drawn);
  }
  return [Math.min(kappa, quantile(kappas, 0.025) ?? kappa), Math.max(kappa, quantile(kappas, 0.975) ?? kappa)];
}

function draw(counts: Readonly<AgreementTable>, items: number, random: () => number): AgreementTable {
  const first = counts[0] + IMAGINED;
  const second = first + counts[1] + IMAGINED;
  const third = second + counts[2] + IMAGINED;
  const all = third + counts[3] + IMAGINED;
  const drawn: AgreementTable = [0, 0, 0, 0];
  for (let each = 0; each < items; each += 1) {
    const at = random() * all;
    if (at < second) drawn[at < first ? 0 : 1] += 1;
    else drawn[at < third ? 2 : 3] += 1;
  }
  return drawn;
}

function cell(a: boolean, b: boolean): 0 | 1 | 2 | 3 {
  if (a) return b ? 0 : 1;
  return b ? 2 : 3;
}

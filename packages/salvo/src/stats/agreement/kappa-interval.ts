import { quantile } from '../mean.ts';
import { type AgreementTable, tableKappa } from './cohen-kappa.ts';
import { effectiveSize } from './effective-size.ts';

const RESAMPLES = 2000;
/**
 * Added to each cell of the table, one item in all. Without it, raters who agreed on all of 20 items would get an
 * interval from 1 to 1, and intervals for a true kappa of 0.9 would contain it only 13 times in 20.
 */
const IMAGINED = 0.25;

/** Less than 2.5%, because percentiles of a bootstrap of few items are too narrow: they contained the truth in 92 to 95%. */
const TAIL = 0.0175;

/** What two raters said of one item. */
export interface RatedItem {
  first: boolean;
  second: boolean;
  /** Items of one cluster, such as the trials of one case, may be alike. */
  cluster: string;
  /** How many items it stands for. */
  weight: number;
}

/** Cohen's kappa of two raters who say yes or no, with a 95% interval. */
export interface KappaEstimate {
  kappa: number;
  interval: [number, number];
  /** How many independent items would tell as much. */
  worth: number;
}

/**
 * Kappa of weighted items, and percentiles of a smoothed bootstrap of as many items as these are worth: items of one
 * cluster are not independent, and unequal weights tell less. The same numbers from `random` give the same interval.
 * Null when kappa is undefined. The interval is the whole scale when the items are of a single cluster.
 */
export function kappaEstimate(items: readonly RatedItem[], random: () => number): KappaEstimate | null {
  if (items.length < 2) return null;
  const table = tableOf(items);
  const kappa = tableKappa(table);
  if (kappa === null) return null;
  const worth = effectiveSize(withInfluence(items, table, kappa));
  if (worth === 0) return { kappa, interval: [-1, 1], worth };
  const size = Math.max(2, Math.round(worth));
  const total = sumOf(table);
  const shares = table.map((cell) => (cell / total) * size);
  const kappas: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    const drawn = tableKappa(draw(shares, size, random));
    if (drawn !== null) kappas.push(drawn);
  }
  const interval: [number, number] = [
    Math.min(kappa, quantile(kappas, TAIL) ?? kappa),
    Math.max(kappa, quantile(kappas, 1 - TAIL) ?? kappa),
  ];
  return { kappa, interval, worth };
}

function tableOf(items: readonly RatedItem[]): AgreementTable {
  const table: AgreementTable = [0, 0, 0, 0];
  for (const { first, second, weight } of items) table[cell(first, second)] += weight;
  return table;
}

/** How each item moves kappa, by the derivatives of observed and expected agreement. */
function withInfluence(items: readonly RatedItem[], table: AgreementTable, kappa: number) {
  const total = sumOf(table);
  const agreed = (table[0] + table[3]) / total;
  const firstYes = (table[0] + table[1]) / total;
  const secondYes = (table[0] + table[2]) / total;
  const byChance = firstYes * secondYes + (1 - firstYes) * (1 - secondYes);
  return items.map(({ first, second, cluster, weight }) => {
    const ofAgreement = Number(first === second) - agreed;
    const ofChance = (first ? secondYes : 1 - secondYes) + (second ? firstYes : 1 - firstYes) - 2 * byChance;
    return { cluster, weight, influence: (ofAgreement - (1 - kappa) * ofChance) / (1 - byChance) };
  });
}

function draw(shares: readonly number[], items: number, random: () => number): AgreementTable {
  const [a = 0, b = 0, c = 0, d = 0] = shares;
  const first = a + IMAGINED;
  const second = first + b + IMAGINED;
  const third = second + c + IMAGINED;
  const all = third + d + IMAGINED;
  const drawn: AgreementTable = [0, 0, 0, 0];
  for (let each = 0; each < items; each += 1) {
    const at = random() * all;
    if (at < second) drawn[at < first ? 0 : 1] += 1;
    else drawn[at < third ? 2 : 3] += 1;
  }
  return drawn;
}

function cell(first: boolean, second: boolean): 0 | 1 | 2 | 3 {
  if (first) return second ? 0 : 1;
  return second ? 2 : 3;
}

function sumOf([a, b, c, d]: Readonly<AgreementTable>): number {
  return a + b + c + d;
}

import { normalTail, studentQuantile } from '../../packages/salvo/src/stats/normal.ts';
import type { SimulatedRuns } from '../run-simulator.ts';

/**
 * How often a drop is found, computed without any code of the comparison: for independent trials, the chances of all
 * tables that Fisher's test rejects; for the same seed, the binomial chance of six pairs on one side; for means of cases,
 * the normal approximation with Student's t.
 */
export function powerByFormula({ cases, trials, rate, alike, drop = 0, sameSeed }: SimulatedRuns): number {
  const after = rate - drop;
  if (sameSeed) return binomial(trials, drop).slice(6).reduce(plus, 0);
  if (cases === 1) return powerOfFisher(trials, rate, after);
  const between = rate * (1 - rate) * alike;
  const kept = after / rate;
  const within = rate - rate ** 2 - between + kept * rate - kept ** 2 * (rate ** 2 + between);
  // A few cases are these and no others.
  const isFew = cases < 10;
  const error = Math.sqrt((within / trials + (isFew ? 0 : (1 - kept) ** 2 * between)) / cases);
  return 1 - normalTail(drop / error - studentQuantile(isFew ? 2 * cases * (trials - 1) : cases - 1));
}

/** That the new run is worse by a two-sided test at 5%, if both have as many trials. */
function powerOfFisher(trials: number, before: number, after: number): number {
  const [ofBase, ofNext, ways] = [binomial(trials, before), binomial(trials, after), binomial(trials, 0.5)];
  let power = 0;
  for (let total = 0; total <= 2 * trials; total += 1) {
    // The chance of each table with so many passes is proportional to the product of the ways to it.
    const tables = ways.map((way, passed) => way * (ways[total - passed] ?? 0));
    const all = tables.reduce(plus, 0);
    let tail = 0;
    for (let passed = 0; 2 * passed < total; passed += 1) {
      tail += tables[passed] ?? 0;
      if (2 * tail >= 0.05 * all) break;
      power += (ofNext[passed] ?? 0) * (ofBase[total - passed] ?? 0);
    }
  }
  return power;
}

/** The chance of each count. */
function binomial(total: number, chance: number): number[] {
  const counts = Array.from({ length: total + 1 }, (_, count) => count);
  if (chance >= 1) return counts.map((count) => Number(count === total));
  let term = (1 - chance) ** total;
  return counts.map((count) => {
    const found = term;
    term *= ((total - count) * chance) / ((count + 1) * (1 - chance));
    return found;
  });
}

function plus(a: number, b: number): number {
  return a + b;
}

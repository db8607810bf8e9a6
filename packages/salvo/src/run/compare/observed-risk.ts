import { seededRandom } from '../../stats/seeded-random.ts';
import { LUCK, type ObservedScenario, observedRule } from './against-rule.ts';

/** A scenario as it was observed, and how many cases it has: `-n` is the number of trials of each. */
export type DesignedScenario = ObservedScenario & { cases?: number | undefined };

/** Binomial numbers that are drawn for one figure: a few milliseconds. */
const DRAWS = 60_000;
const MOST_RUNS = 5000;
const FEWEST_RUNS = 200;
/** Numbers of trials that people choose. */
const SIZES = [5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000];

/**
 * The risk of the observed rule, by simulation: both runs are drawn from the same agent. What it passes is estimated from
 * both runs, because the question assumes that they are alike, and pulled towards the mean of all scenarios by two
 * trials. Trials of a case resemble each other, which makes the differences smaller than those of these simulated trials:
 * with data, the figure is an upper limit.
 */
export function observedRisk({ scenarios, margin }: { scenarios: readonly DesignedScenario[]; margin: number }) {
  const scored = scenarios.filter(({ base, next }) => base.total > 0 && next.total > 0);
  if (scored.length === 0) return { false_reds: 0, trials_each: null };
  const pooled = scored.map(({ base, next }) => ({
    passed: rateOf(base) * base.total + rateOf(next) * next.total,
    total: base.total + next.total,
  }));
  const mean = pooled.reduce((sum, { passed, total }) => sum + passed / total, 0) / pooled.length;
  const agents = pooled.map(({ passed, total }) => (passed + 2 * mean) / (total + 2));
  const risk = (sizes: readonly Sizes[]) => shareOfReds(agents, sizes, margin);
  const now = risk(scored.map(({ base, next }) => ({ base: base.total, next: next.total })));
  const atSize = (each: number) => risk(scored.map(({ cases = 1 }) => ({ base: cases * each, next: cases * each })));
  return {
    /** How often an agent that did not change would be red by the observed rule, with as many trials as these. */
    false_reds: now,
    /** The `-n` of both runs that brings this to 5%; null if none up to 10,000 does. */
    trials_each: now <= LUCK ? null : smallestSize(atSize, scored),
  };
}

interface Sizes {
  base: number;
  next: number;
}

function rateOf({ passed, total, rate }: ObservedScenario['base']): number {
  return rate ?? passed / total;
}

function smallestSize(riskAt: (each: number) => number, scored: readonly DesignedScenario[]): number | null {
  const now = Math.min(...scored.map(({ next, cases = 1 }) => next.total / cases));
  const larger = SIZES.filter((size) => size > now);
  let [low, high] = [-1, larger.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (riskAt(larger[middle] ?? 0) <= LUCK) high = middle;
    else low = middle;
  }
  return larger[high] ?? null;
}

function shareOfReds(agents: readonly number[], sizes: readonly Sizes[], margin: number): number {
  const random = seededRandom(0, 'compare', 'observed');
  const draw = (chance: number, total: number) => {
    const sums = cumulative(chance, total);
    return () => {
      const passed = positionOf(sums, random());
      return { passed, total };
    };
  };
  const sides = agents.map((chance, index) => {
    const { base, next } = sizes[index] ?? { base: 0, next: 0 };
    return { base: draw(chance, base), next: draw(chance, next) };
  });
  const runs = Math.min(MOST_RUNS, Math.max(FEWEST_RUNS, Math.floor(DRAWS / (2 * agents.length))));
  let reds = 0;
  for (let run = 0; run < runs; run += 1) {
    const drawn = sides.map(({ base, next }) => ({ base: base(), next: next() }));
    if (observedRule({ scenarios: drawn, margin }).red) reds += 1;
  }
  return reds / runs;
}

/** sums[k]: the chance that at most k of so many trials pass. */
function cumulative(chance: number, total: number): Float64Array {
  const sums = new Float64Array(total + 1);
  if (chance >= 1) return sums.fill(1, total);
  // In logarithms, because the first chance of many trials underflows.
  let [log, sum] = [total * Math.log(1 - chance), 0];
  for (let k = 0; k <= total; k += 1) {
    sum += Math.exp(log);
    sums[k] = sum;
    log += Math.log(((total - k) * chance) / ((k + 1) * (1 - chance)));
  }
  return sums;
}

/** The first position whose sum is above the drawn number. */
function positionOf(sums: Float64Array, drawn: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 1) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
}

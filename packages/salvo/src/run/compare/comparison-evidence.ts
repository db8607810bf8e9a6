import { clusterIntervals, DIFFERENCE } from '../../stats/intervals/cluster-intervals.ts';
import { meanRateDifference } from '../../stats/intervals/rate-difference.ts';
import { mean } from '../../stats/mean.ts';
import { studentQuantile, twoSidedZ } from '../../stats/normal.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { pairedSumTest } from '../../stats/significance/paired-tests.ts';
import { type ExchangeableParts, LOWEST_P } from '../../stats/significance/pooled-permutation-test.ts';
import { agreedInterval, type TestedDifference } from '../../stats/significance/test-inversion.ts';
import { logChoose, twoSamplePermutationTest } from '../../stats/significance/two-sample-tests.ts';
import type { ComparedCase, ScoredTrial } from './comparable-trials.ts';
import type { Difference, ScenarioComparison } from './comparison.ts';
import type { Design } from './detectable-difference.ts';

/** What the trials of two runs say about their difference, the new run minus the base. */
export interface Evidence extends TestedChange {
  unit: NonNullable<ScenarioComparison['unit']>;
  method: NonNullable<ScenarioComparison['method']>;
  /** The smallest p that any outcome could have given. */
  lowestP: number;
  /** Of the mean score. */
  score: TestedChange | null;
  design: Design;
  /** The difference as the sum of what could be chance, to test it together with that of other scenarios. */
  parts: ExchangeableParts;
}

/** A difference and the p of a test: below alpha exactly if the interval excludes 0. */
interface TestedChange {
  difference: Difference;
  p: number;
}

/** A pair of trials of the same case with the same seed. */
export interface TrialPair {
  case: string | null;
  base: ScoredTrial;
  next: ScoredTrial;
}

/** Cases as the pieces of evidence: trials of one case resemble each other. */
export function evidenceByCase(cases: readonly ComparedCase[], alpha: number): Evidence {
  const single = cases.every(({ base, next }) => base.length === 1 && next.length === 1);
  const trialsEach = cases.length / cases.reduce((sum, { next }) => sum + 1 / next.length, 0);
  return pairedEvidence({
    alpha,
    unit: 'case',
    units: cases,
    isMcnemar: single,
    passed: ({ base, next }) => passRate(next) - passRate(base),
    score: ({ base, next }) => minus(scoreOf(next), scoreOf(base)),
    groupOf: () => null,
    design: { trialsEach, rate: likelyRate(cases.flatMap(({ base }) => base)) },
  });
}

/** Pairs of trials as the pieces of evidence: for a few cases, each with the same seed in both runs. */
export function evidenceByPair(pairs: readonly TrialPair[], alpha: number): Evidence {
  return pairedEvidence({
    alpha,
    unit: 'pair',
    units: pairs,
    isMcnemar: true,
    passed: ({ base, next }) => Number(next.passed) - Number(base.passed),
    score: ({ base, next }) => minus(next.score, base.score),
    groupOf: (pair) => pair.case,
    design: { trialsEach: 1, rate: likelyRate(pairs.map(({ base }) => base)) },
  });
}

function pairedEvidence<Unit>(options: {
  alpha: number;
  unit: 'case' | 'pair';
  units: readonly Unit[];
  /** Whether a unit has one trial of each run. */
  isMcnemar: boolean;
  passed: (unit: Unit) => number;
  score: (unit: Unit) => number | null;
  /** Every group counts the same, however many units it has. */
  groupOf: (unit: Unit) => string | null;
  design: { trialsEach: number; rate: number };
}): Evidence {
  const { alpha, unit, units, isMcnemar, design } = options;
  const differences = units.map(options.passed);
  const scores = units.map(options.score);
  const complete = scores.every((score) => score !== null) ? scores : null;
  const groups = units.map(options.groupOf);
  const tested = (values: readonly number[]): TestedChange => {
    const clusters = values.map((value, index) => ({ value, group: groups[index] ?? null }));
    const intervals = clusterIntervals({
      clusters,
      metrics: (kept) => [meanOverGroups(kept)],
      ranges: [DIFFERENCE],
      random: seededRandom(0, 'compare', 'groups'),
      alpha,
    });
    const value = meanOverGroups(clusters);
    const test = pairedSumTest(contributions(values, groups), seededRandom(0, 'compare', 'swaps'), alpha);
    return testedDifference({ value, interval: intervals?.[0] ?? null }, test, alpha);
  };
  const parts = contributions(differences, groups);
  return {
    unit,
    // Where groups have different sizes, their pairs do not count the same.
    method: isMcnemar && new Set(parts.map(Math.abs)).size <= 2 ? 'mcnemar' : 'permutation',
    ...tested(differences),
    lowestP: Math.min(1, 2 ** (1 - units.length)),
    score: complete && tested(complete),
    design: { paired: true, units: units.length, variance: likelyVariance(differences, design.trialsEach), ...design },
    parts: { pairs: parts, samples: [] },
  };
}

/** The difference with the interval that belongs to the test. Without any interval, nothing can be said. */
export function testedDifference(
  { value, interval }: Difference,
  test: TestedDifference | null,
  alpha: number,
): TestedChange {
  if (!test || !interval) return { difference: { value, interval: null }, p: 1 };
  return { difference: { value, interval: agreedInterval(interval, test, alpha) }, p: test.p };
}

/** Single trials as the pieces of evidence: for a few cases whose trials have nothing in common but the case. */
export function evidenceByTrial(cases: readonly ComparedCase[], alpha: number): Evidence | null {
  const counts = (trials: readonly ScoredTrial[]) => ({
    passed: trials.filter(({ passed }) => passed).length,
    total: trials.length,
  });
  const estimate = meanRateDifference(
    cases.map(({ base, next }) => ({ first: counts(next), second: counts(base) })),
    twoSidedZ(alpha),
  );
  const test = (value: (trial: ScoredTrial) => number) =>
    twoSamplePermutationTest(
      cases.map(({ base, next }) => ({ first: next.map(value), second: base.map(value) })),
      seededRandom(0, 'compare', 'permutations'),
      alpha,
    );
  const found = test(({ passed }) => Number(passed));
  if (!estimate || !found) return null;
  const [base, next] = [cases.flatMap((each) => each.base), cases.flatMap((each) => each.next)];
  const hasScores = [...base, ...next].every(({ score }) => score !== null);
  const score = hasScores ? scoreDifference(cases, alpha) : null;
  return {
    unit: 'trial',
    method: cases.length === 1 ? 'fisher_central' : 'permutation',
    ...testedDifference(estimate, found, alpha),
    lowestP: lowestOfTrials(cases),
    score:
      score &&
      testedDifference(
        score,
        test((trial) => trial.score ?? 0),
        alpha,
      ),
    design: { paired: false, base: base.length, next: next.length, rate: likelyRate(base) },
    parts: {
      pairs: [],
      samples: cases.map((each) => ({
        first: each.next.map(({ passed }) => Number(passed)),
        second: each.base.map(({ passed }) => Number(passed)),
        weight: 1 / cases.length,
      })),
    },
  };
}

/** As if every trial of the new run passed and none of the base did, or the other way round. */
function lowestOfTrials(cases: readonly ComparedCase[]): number {
  const ways = cases.reduce((sum, { base, next }) => sum + logChoose(base.length + next.length, base.length), 0);
  const [first] = cases;
  const areAlike = cases.every(
    ({ base, next }) => base.length === first?.base.length && next.length === first.next.length,
  );
  // Cases of different sizes are tested by draws.
  return Math.min(1, Math.max(areAlike ? 0 : LOWEST_P, 2 * Math.exp(-ways)));
}

/** By Student's t. The trials of a case in one run vary by themselves; where there is one only, as all others do. */
function scoreDifference(cases: readonly ComparedCase[], alpha: number): Difference {
  const samples = cases.flatMap(({ base, next }) =>
    [base, next].map((trials) => {
      const middle = scoreOf(trials) ?? 0;
      const squares = trials.reduce((sum, { score }) => sum + ((score ?? 0) - middle) ** 2, 0);
      return { size: trials.length, squares };
    }),
  );
  const value = average(cases.map(({ base, next }) => minus(scoreOf(next), scoreOf(base)) ?? 0));
  const freedom = samples.reduce((sum, { size }) => sum + size - 1, 0);
  if (freedom < 1) return { value, interval: null };
  const common = samples.reduce((sum, { squares }) => sum + squares, 0) / freedom;
  const variance = samples.reduce(
    (sum, { size, squares }) => sum + (size > 1 ? squares / (size - 1) : common) / size,
    0,
  );
  const reach = (studentQuantile(freedom, alpha) * Math.sqrt(variance)) / cases.length;
  return { value, interval: [value - reach, value + reach] };
}

export function passRate(trials: readonly ScoredTrial[]): number {
  return trials.filter(({ passed }) => passed).length / trials.length;
}

/** Null if a score is unknown. */
export function scoreOf(trials: readonly ScoredTrial[]): number | null {
  const scores = trials.flatMap(({ score }) => (score === null ? [] : [score]));
  return scores.length < trials.length ? null : average(scores);
}

function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** NaN without values. Sums of so many equal units need no exact arithmetic. */
export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanOverGroups(units: readonly { value: number; group: string | null }[]): number {
  const groups = new Map<string | null, { sum: number; size: number }>();
  for (const { value, group } of units) {
    const found = groups.get(group);
    if (found) {
      found.sum += value;
      found.size += 1;
    } else groups.set(group, { sum: value, size: 1 });
  }
  return average([...groups.values()].map(({ sum, size }) => sum / size));
}

/** What each unit adds to the mean over groups. */
function contributions(values: readonly number[], groups: readonly (string | null)[]): number[] {
  const sizes = new Map([...Map.groupBy(groups, (group) => group)].map(([group, { length }]) => [group, length]));
  return values.map((value, index) => value / sizes.size / (sizes.get(groups[index] ?? null) ?? 1));
}

/** Between the rate seen and one half: after 20 of 20 passes the next may still fail (Laplace). */
function likelyRate(trials: readonly ScoredTrial[]): number {
  return (trials.filter(({ passed }) => passed).length + 1) / (trials.length + 2);
}

/** Half a trial that changed is added: differences that were all 0 may still vary. */
function likelyVariance(differences: readonly number[], trialsEach: number): number {
  const middle = mean(differences) ?? 0;
  const squares = differences.reduce((sum, difference) => sum + (difference - middle) ** 2, 0);
  return (squares + 0.5 / trialsEach) / differences.length;
}

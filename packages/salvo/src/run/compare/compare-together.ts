import { clusterIntervals, DIFFERENCE } from '../../stats/intervals/cluster-intervals.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { holmCorrection } from '../../stats/significance/paired-tests.ts';
import { LOWEST_P, pooledPermutationTest } from '../../stats/significance/pooled-permutation-test.ts';
import type { ComparedRun } from './comparable-trials.ts';
import {
  ALPHA,
  conclusionOf,
  describeScenario,
  type MeasuredScenario,
  measureScenario,
  type TestFamily,
} from './compare-scenario.ts';
import type { Difference, ScenarioComparison, TogetherComparison } from './comparison.ts';
import { average, type Evidence, passRate, testedDifference } from './comparison-evidence.ts';
import { smallestDetectableMean } from './detectable-difference.ts';

/** A scenario in two runs. */
interface ScenarioPair {
  base: ComparedRun;
  next: ComparedRun;
}

/** The scenarios of two runs, or of two models. */
interface ComparedScenarios {
  scenarios: ScenarioComparison[];
  /** Null with fewer than two scenarios that can be compared. */
  together: TogetherComparison | null;
  /** By how much the error rate is divided for a scenario. The same for all groups. */
  among: number;
}

/** Which *worse* a run is judged by: that of all scenarios together, that of each of them, or both. */
export type Gate = 'overall' | 'each' | 'either';

export interface CompareGroupsOptions {
  /** The error rate of all tests; intervals have the level that belongs to it. 5% if missing. */
  alpha?: number | undefined;
  /** Both if missing. */
  gate?: Gate | undefined;
}

/**
 * Compares scenarios one by one and together, in groups: one for each run or model that is compared with the base. If
 * nothing changed, something is called better or worse in at most 5% of all comparisons. Half of this error rate is for
 * the tests of all scenarios together, and half for the scenarios, which get both halves once the former are significant
 * (Bretz and others, 2009). Each half is shared by Holm's method. Scenarios that no outcome could decide have no part in
 * it (Tarone, 1990); if that is all of them, the tests together have both halves.
 */
export function compareGroups(
  groups: readonly (readonly ScenarioPair[])[],
  { alpha = ALPHA, gate = 'either' }: CompareGroupsOptions = {},
): ComparedScenarios[] {
  const measured = groups.map((pairs) => {
    const scenarios = pairs.map(({ base, next }) => measureScenario(base, next, alpha));
    return { scenarios, together: measureTogether(scenarios, alpha) };
  });
  const all = measured.flatMap(({ scenarios }) => scenarios.flatMap(({ evidence }) => evidence ?? []));
  const togethers = measured.flatMap(({ together }) => together ?? []);
  const isShared = gate === 'either' && togethers.length > 0;
  const halves = isShared && all.some(({ lowestP }) => 2 * lowestP < alpha) ? 2 : 1;
  const among = halves * familySize(all, alpha / halves);
  const ofTogether = corrected(togethers, ({ p }) => p);
  const ofScenario = corrected(all, ({ p, lowestP }) => (lowestP * among < alpha ? p : null));
  // What a run is not judged by is tested only after the rest, so that all tests share one error rate.
  const lowest = gate === 'each' ? Math.min(1, ...ofScenario.values()) : 0;
  const pTogether = (each: MeasuredTogether) => Math.min(1, Math.max(lowest, halves * (ofTogether.get(each) ?? 1)));
  const first = Math.max(0, ...togethers.map(pTogether));
  const ofScore = corrected(all, ({ score }) => score?.p ?? null);
  const pScenario = (each: Evidence) => {
    // What could not be decided is not significant either.
    const p = ofScenario.get(each) ?? 1;
    return gate === 'overall' ? Math.max(first, p) : Math.min(1, halves * p, Math.max(first, p));
  };
  return measured.map(({ scenarios, together }) => ({
    scenarios: scenarios.map((each) => {
      const { evidence } = each;
      const pHolm = evidence && pScenario(evidence);
      return describeScenario(each, { alpha, among, pHolm, scoreHolm: (evidence && ofScore.get(evidence)) ?? null });
    }),
    together:
      together && describeTogether(together, { alpha, among: halves * groups.length, pHolm: pTogether(together) }),
    among,
  }));
}

/** The smallest number by which alpha can be divided so that no more tests than that could be significant. */
function familySize(tests: readonly { lowestP: number }[], alpha: number): number {
  let size = 1;
  while (tests.filter(({ lowestP }) => lowestP * size < alpha).length > size) size += 1;
  return size;
}

/** The p values of tests after Holm's correction. Tests whose p is null have no part in it. */
function corrected<Test>(tests: readonly Test[], pOf: (test: Test) => number | null): Map<Test, number> {
  const found = tests.flatMap((test) => {
    const p = pOf(test);
    return p === null ? [] : [{ test, p }];
  });
  const values = holmCorrection(found.map(({ p }) => p));
  return new Map(found.map(({ test, p }, index) => [test, values[index] ?? p]));
}

type MeasuredTogether = NonNullable<ReturnType<typeof measureTogether>>;

/**
 * The mean over scenarios, each with the same weight. What could be chance is what could be chance within each scenario,
 * so this is about these scenarios: several that all fall a little are evidence that none of them gives alone.
 */
function measureTogether(measured: readonly MeasuredScenario[], alpha: number) {
  const found = measured.flatMap(({ evidence, comparable }) =>
    evidence ? [{ evidence, cases: comparable.cases }] : [],
  );
  if (found.length < 2) return null;
  const share = 1 / found.length;
  const test = pooledPermutationTest(
    {
      pairs: found.flatMap(({ evidence }) => evidence.parts.pairs.map((each) => each * share)),
      samples: found.flatMap(({ evidence }) =>
        evidence.parts.samples.map((each) => ({ ...each, weight: each.weight * share })),
      ),
    },
    seededRandom(0, 'compare', 'together'),
    alpha,
  );
  if (!test) return null;
  const joined = meanDifference(
    found.map(({ evidence }) => evidence.difference),
    alpha,
  );
  const rate = (side: 'base' | 'next') =>
    average(found.map(({ cases }) => average(cases.map((each) => passRate(each[side])))));
  return {
    base: rate('base'),
    next: rate('next'),
    ...testedDifference(joined, test, alpha),
    // As if the most extreme outcome of every scenario occurred. Each is two-sided.
    lowestP: Math.min(
      1,
      Math.max(LOWEST_P, 2 * found.reduce((product, { evidence }) => product * (evidence.lowestP / 2), 1)),
    ),
    designs: found.map(({ evidence }) => evidence.design),
  };
}

function describeTogether(
  { base, next, difference, p, lowestP, designs }: MeasuredTogether,
  { alpha, among, pHolm }: TestFamily & { pHolm: number },
): TogetherComparison {
  const compared = {
    scenarios: designs.length,
    base_pass_rate: base,
    next_pass_rate: next,
    difference,
    p,
    p_holm: pHolm,
    lowest_p: lowestP,
    smallest_detectable: smallestDetectableMean(designs, alpha / among),
  };
  return { conclusion: conclusionOf(compared, { alpha, among }), ...compared };
}

/** Joins the intervals of the differences (Zou and Donner, 2008). Where one has none, scenarios are the clusters. */
function meanDifference(differences: readonly Difference[], alpha: number): Difference {
  const size = differences.length;
  const value = average(differences.map((each) => each.value));
  const intervals = differences.flatMap(({ value, interval }) => (interval ? [{ value, interval }] : []));
  if (intervals.length === size) {
    const below = Math.hypot(...intervals.map(({ value, interval }) => value - interval[0]));
    const above = Math.hypot(...intervals.map(({ value, interval }) => interval[1] - value));
    return { value, interval: [value - below / size, value + above / size] };
  }
  const found = clusterIntervals({
    clusters: differences.map((each) => each.value),
    metrics: (kept) => [average(kept)],
    ranges: [DIFFERENCE],
    random: seededRandom(0, 'compare', 'groups'),
    alpha,
  });
  return { value, interval: found?.[0] ?? null };
}

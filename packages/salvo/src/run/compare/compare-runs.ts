import { z } from 'zod';
import { projectName } from '../../secrets/text-marks.ts';
import { studentQuantile } from '../../stats/normal.ts';
import { agentDifferences } from '../record/agent-files.ts';
import { entryKey } from '../record/candidate-labels.ts';
import type { Baseline, BaselineScenario } from './baseline.ts';
import { type CompareGroupsOptions, compareGroups } from './compare-together.ts';
import { casesOf, changedCases, flippedCases, flippedSchema, type ScenarioPair } from './compared-cases.ts';
import {
  type Conclusion,
  type Difference,
  differenceSchema,
  type ScenarioComparison,
  scenarioComparisonSchema,
  type TogetherComparison,
  togetherSchema,
} from './comparison.ts';
import { pairedScenarios } from './paired-scenarios.ts';
import { yardstickDifferences } from './yardstick.ts';

const comparedRunSchema = z.object({
  run_id: z.string(),
  created_at: z.string(),
  commit: z.string().nullable(),
});

/** Means per trial; null where they are unknown. */
const measuredSchema = z.object({
  base: z.number(),
  next: z.number(),
  difference: differenceSchema,
});

/** A scenario that both runs have. */
const comparedScenarioSchema = z.object({
  name: z.string(),
  file: z.string(),
  base_adapter: z.string(),
  base_model: z.string(),
  next_adapter: z.string(),
  next_model: z.string(),
  /** Why it cannot be compared: by what it was measured differs. */
  not_comparable_because: z.array(z.string()),
  /** What else differs. */
  differences: z.array(z.string()),
  ...scenarioComparisonSchema.shape,
  /** Cases of both runs whose row differs. They are not compared. */
  changed_cases: z.array(projectName(z.string())),
  /** Cases that passed in most of their trials before, and do not now, or the other way round; the largest change first. */
  flipped: flippedSchema,
  cost_usd: measuredSchema.nullable(),
  latency_seconds: measuredSchema.nullable(),
});

/** What `salvo compare --json` prints. */
export const runComparisonSchema = z.object({
  conclusion: scenarioComparisonSchema.shape.conclusion,
  /** 1 worse, 3 nothing can be compared, 0 otherwise. */
  exit_code: z.int(),
  base: comparedRunSchema,
  next: comparedRunSchema,
  /** What changed about the agents: files, packages and settings of adapters. */
  agent_differences: z.array(z.string()),
  /** Those that got worse first. */
  scenarios: z.array(comparedScenarioSchema),
  /** All scenarios together; null with fewer than two that can be compared. */
  together: togetherSchema.nullable(),
  /** By how much the error rate of 5% is divided for a scenario. */
  tests: z.int(),
  /** Scenarios of one run only. */
  only_base: z.array(z.string()),
  only_next: z.array(z.string()),
});

export type RunComparison = z.infer<typeof runComparisonSchema>;
export type ComparedScenario = z.infer<typeof comparedScenarioSchema>;

/** The entry of the new run that a scenario was compared for. */
export function comparedEntry({ name, file, next_adapter: adapter, next_model: model }: ComparedScenario): string {
  return entryKey({ name, file, adapter, model });
}

interface CompareResultsOptions extends CompareGroupsOptions {
  /** Also what was measured differently. */
  anyway?: boolean | undefined;
  /** A changed prompt is another scenario. */
  sameTask?: boolean | undefined;
}

/** Compares the results of two runs, scenario by scenario. */
export function compareResults(base: Baseline, next: Baseline, options: CompareResultsOptions = {}): RunComparison {
  const [comparison] = compareWithBase(base, [next], options);
  // One for each run that is compared.
  if (!comparison) throw new Error('A comparison is missing.');
  return comparison;
}

/** Compares several runs with one. The p values are corrected for all comparisons together. */
export function compareWithBase(
  base: Baseline,
  others: readonly Baseline[],
  { anyway = false, sameTask = false, ...levels }: CompareResultsOptions = {},
): RunComparison[] {
  const found = others.map((next) => {
    const { pairs, ...rest } = pairedScenarios(base.scenarios, next.scenarios);
    const prepared = pairs.map((pair) => ({
      ...pair,
      ...differencesOf(pair, { anyway, sameTask }),
      ...casesOf(pair),
    }));
    return { next, ...rest, pairs: prepared };
  });
  const compared = compareGroups(
    found.map(({ pairs }) =>
      pairs.map(({ base, next, refused, cases }) => ({
        base: { seed: base.seed, trials: refused.length > 0 ? [] : cases.base },
        next: { seed: next.seed, trials: refused.length > 0 ? [] : cases.next },
      })),
    ),
    levels,
  );
  return found.map((each, index) => {
    const { scenarios = [], together = null, among = 1 } = compared[index] ?? {};
    return runComparison(base, { ...each, compared: scenarios, together, among });
  });
}

function runComparison(
  base: Baseline,
  {
    next,
    pairs,
    compared,
    together,
    among,
    onlyBase,
    onlyNext,
  }: {
    next: Baseline;
    pairs: readonly FoundPair[];
    compared: readonly ScenarioComparison[];
    together: TogetherComparison | null;
    among: number;
    onlyBase: readonly BaselineScenario[];
    onlyNext: readonly BaselineScenario[];
  },
): RunComparison {
  const scenarios = pairs
    .map((pair, index) => comparedScenario(pair, compared[index]))
    .filter((scenario) => scenario !== null)
    .toSorted((a, b) => order(a) - order(b));
  const conclusion = overallConclusion([...scenarios, ...(together ? [together] : [])].map((each) => each.conclusion));
  return {
    conclusion,
    exit_code: conclusion === 'worse' ? 1 : conclusion === 'not_comparable' ? 3 : 0,
    base: { run_id: base.run_id, created_at: base.created_at, commit: base.commit },
    next: { run_id: next.run_id, created_at: next.created_at, commit: next.commit },
    agent_differences: agentDifferences(base.agent_files, next.agent_files),
    scenarios,
    together,
    tests: among,
    only_base: onlyBase.map(({ name }) => name),
    only_next: onlyNext.map(({ name }) => name),
  };
}

function differencesOf({ base, next }: ScenarioPair, { anyway, sameTask }: { anyway: boolean; sameTask: boolean }) {
  const { measure, task, agent } = yardstickDifferences(base.yardstick, next.yardstick);
  const serious = [...measure, ...(sameTask ? task : [])];
  // An agent without a name for its model is called by its adapter: that is one difference.
  const areAdapters = base.model === base.adapter && next.model === next.adapter;
  const models = base.model === next.model || areAdapters ? [] : [`the model was ${base.model}, and is ${next.model}`];
  const adapters = base.adapter === next.adapter ? [] : [`the adapter was ${base.adapter}, and is ${next.adapter}`];
  return {
    refused: anyway ? [] : serious,
    differences: [...models, ...adapters, ...agent, ...(sameTask ? [] : task), ...(anyway ? serious : [])],
  };
}

type FoundPair = ScenarioPair & ReturnType<typeof differencesOf> & ReturnType<typeof casesOf>;

function comparedScenario(
  { base, next, refused, differences, keyed }: FoundPair,
  compared: ScenarioComparison | undefined,
): ComparedScenario | null {
  if (!compared) return null;
  const names = new Map([...keyed.base, ...keyed.next].map(({ key, each }) => [key, each.case]));
  const nameOf = (key: string) => names.get(key) ?? key;
  const byKey = new Map(keyed.next.map(({ key, each }) => [key, each]));
  const both = keyed.base.flatMap(({ key, each }) => {
    const partner = byKey.get(key);
    return partner ? [{ base: each, next: partner }] : [];
  });
  const pairs = refused.length > 0 ? [] : both;
  const changed = changedCases(compared, nameOf);
  return {
    name: next.name,
    file: next.file,
    base_adapter: base.adapter,
    base_model: base.model,
    next_adapter: next.adapter,
    next_model: next.model,
    not_comparable_because: refused,
    differences: [...differences, ...changed.sentences],
    ...compared,
    cases: changed.cases,
    changed_cases: changed.names,
    flipped: flippedCases(pairs),
    cost_usd: measurementDifference(base, next, 'cost_usd'),
    latency_seconds: measurementDifference(base, next, 'latency_seconds'),
  };
}

const RANKS: Record<Conclusion, number> = {
  worse: 0,
  better: 4,
  no_evidence: 3,
  too_few_trials: 2,
  not_comparable: 1,
};

/** What got worse first; within a conclusion, the largest drop first. */
function order({ conclusion, difference }: Pick<ComparedScenario, 'conclusion' | 'difference'>): number {
  return 10 * RANKS[conclusion] + (difference?.value ?? 0);
}

function overallConclusion(conclusions: readonly Conclusion[]): Conclusion {
  const compared = conclusions.filter((each) => each !== 'not_comparable');
  if (compared.length === 0) return 'not_comparable';
  if (compared.includes('worse')) return 'worse';
  if (compared.includes('better')) return 'better';
  return compared.includes('no_evidence') ? 'no_evidence' : 'too_few_trials';
}

/**
 * How the mean cost or latency of a trial changed. Null if a value is unknown. A cost has a 95% interval. Times have none:
 * the trials of one run share a machine, a network and the provider's load, so that a run is one measurement of them.
 */
function measurementDifference(
  base: BaselineScenario,
  next: BaselineScenario,
  of: 'cost_usd' | 'latency_seconds',
): { base: number; next: number; difference: Difference } | null {
  const [before, now] = [base[of], next[of]];
  if (!before || !now) return null;
  const value = now.mean - before.mean;
  if (of === 'latency_seconds') return { base: before.mean, next: now.mean, difference: { value, interval: null } };
  const variances = [before, now].map(({ sd, trials }) => sd ** 2 / trials);
  const variance = variances.reduce((sum, each) => sum + each, 0);
  // Those of the smaller sample, which is cautious.
  const freedom = Math.min(before.trials, now.trials) - 1;
  const reach = freedom < 1 ? null : studentQuantile(freedom) * Math.sqrt(variance);
  return {
    base: before.mean,
    next: now.mean,
    difference: { value, interval: reach === null ? null : [value - reach, value + reach] },
  };
}

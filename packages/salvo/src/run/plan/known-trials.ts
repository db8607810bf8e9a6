import { mean } from '../../stats/mean.ts';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { RunRecord, RunScenario, StoredTrial } from '../record/run-record.ts';
import type { KnownTrials, TrialFacts } from './plan.ts';

type Identity = Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>;

interface RunSource {
  listRuns(options?: {
    limit?: number;
    complete?: boolean;
  }): Promise<
    (Pick<RunRecord, 'run_id' | 'reeval_of' | 'options'> & { scenarios: (Identity & { scenario_hash: string })[] })[]
  >;
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;
}

const NEWEST_RUNS = 100;
const MOST_RUNS = 5;
const MOST_TRIALS = 20_000;

/**
 * The trials of the newest run of a scenario, and of a few before it that had the same text; null without any. Runs whose
 * tools failed on purpose say nothing about others.
 */
export async function knownTrials(store: RunSource, wanted: Identity): Promise<KnownTrials | null> {
  const isWanted = (each: Identity) => IDENTITY.every((key) => each[key] === wanted[key]);
  const listed = await store.listRuns({ limit: NEWEST_RUNS, complete: true });
  const matching = listed
    .filter(({ reeval_of, options }) => reeval_of === null && !options.faults)
    .flatMap(({ run_id, scenarios }) => {
      const index = scenarios.findIndex(isWanted);
      const hash = scenarios[index]?.scenario_hash;
      return hash === undefined ? [] : [{ run_id, index, hash }];
    });
  const same = matching.filter(({ hash }) => hash === matching[0]?.hash).slice(0, MOST_RUNS);
  const trials: TrialResult[] = [];
  let runs = 0;
  for (const { run_id, index } of same) {
    const before = trials.length;
    try {
      for await (const { result } of store.trials(run_id, { scenarioIndex: index })) {
        if (result && result.status !== 'unscored' && trials.length < MOST_TRIALS) trials.push(result);
      }
    } catch (error) {
      // The trials before it are still known.
      if (!isUnreadable(error)) throw error;
    }
    if (trials.length > before) runs += 1;
  }
  return trials.length === 0 ? null : { runs, ...summaryOf(trials) };
}

const IDENTITY = ['name', 'file', 'adapter', 'model'] as const;

function summaryOf(trials: readonly TrialResult[]): Omit<KnownTrials, 'runs'> {
  const cases = [...Map.groupBy(trials, (trial) => trial.case_index).values()];
  const single_trials = cases.every(({ length }) => length === 1);
  return {
    cases: cases.length,
    trials: trials.length,
    facts: factsOf(cases.map((each) => ({ total: each.length, passed: each.filter(({ passed }) => passed).length }))),
    one_draw: !single_trials && cases.every(isOneDraw),
    single_trials,
    agent_usd: meanOrUnknown(trials.map(({ cost_usd }) => cost_usd)),
    judges_usd: meanOrUnknown(trials.map(({ judge_cost_usd }) => judge_cost_usd)),
    users_usd: meanOrUnknown(trials.map(({ user_cost_usd = 0 }) => user_cost_usd)),
    seconds: mean(trials.flatMap(({ latency_seconds }) => latency_seconds ?? [])),
  };
}

/** After 20 of 20 passes the next may still fail, so a pass and a failure are added (Laplace), as in comparisons. */
function factsOf(cases: readonly { total: number; passed: number }[]): TrialFacts {
  const total = cases.reduce((sum, each) => sum + each.total, 0);
  const passed = cases.reduce((sum, each) => sum + each.passed, 0);
  const pass_rate = (passed + 1) / (total + 2);
  const all = pass_rate * (1 - pass_rate);
  const repeated = cases.filter((each) => each.total > 1);
  const ofCases = repeated.map((each) => (each.passed * (each.total - each.passed)) / (each.total * (each.total - 1)));
  const average = mean(ofCases);
  // Without repeated trials, all of the variance may be within the cases, and all of it between them.
  if (average === null) return { pass_rate, within_cases: all, between_cases: all };
  const within_cases = Math.min(all, Math.max(average, 0.5 / (total + 1)));
  return { pass_rate, within_cases, between_cases: cases.length < 2 ? 0 : Math.max(0, all - within_cases) };
}

function isOneDraw(trials: readonly TrialResult[]): boolean {
  const hashes = new Set(trials.map(({ answer_hash }) => answer_hash ?? null));
  return hashes.size === 1 && !hashes.has(null);
}

function meanOrUnknown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : mean(known);
}

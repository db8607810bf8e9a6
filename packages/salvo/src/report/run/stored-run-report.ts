import type { TrialStatus } from '../../evaluators/eval-result.ts';
import type { MatrixTrial } from '../../run/compare/run-matrix.ts';
import { isMatrix } from '../../run/record/candidate-labels.ts';
import type { FlakyCase } from '../../run/record/flaky-case.ts';
import { costOfAgents, costOfJudges, costOfUsers, type ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { runOverall } from '../../run/verdict/overall.ts';
import { wasKilled } from '../../stats/cost.ts';
import type { Store } from '../../store/store.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { leftOutCases, type ReportedScenario, type RunReport, type RunStream } from './run-report.ts';
import { brokenRolesNote, cassetteNote, faultsNote, holdoutNotes, toolCassetteNotes } from './words/run-notes.ts';

/** A stored run in the form that reports need: summaries, the statuses of trials, and the trials as a stream. */
export async function storedRunReport(
  store: Pick<Store, 'trials' | 'trialHeads' | 'listRuns'>,
  run: RunRecord,
): Promise<{ report: RunReport; stream: RunStream }> {
  const summaries = run.scenarios.flatMap(({ summary }) => (summary ? [summary] : []));
  const marks = summaries.map(
    (summary): Marks => ({
      statuses: [],
      worst: undefined,
      before: trialsBefore(summary),
      leftOut: leftOutCases(summary),
    }),
  );
  for await (const head of store.trialHeads(run.run_id)) {
    const { case_index, case: caseName, trial_number, status, trace_id } = head;
    const mark = marks[head.scenario_index];
    if (!mark || status === null) continue;
    // A shard has every n-th trial: their numbers are no positions.
    const position = run.options.shard ? mark.statuses.length : (mark.before.get(case_index) ?? 0) + trial_number - 1;
    mark.statuses[position] = status;
    if (status === 'passed' || trace_id === null || mark.leftOut.has(case_index)) continue;
    if (!mark.worst || RANK[status] < RANK[mark.worst.status]) mark.worst = { case: caseName, trial_number, status };
  }
  const { run_id, created_at, options, verdict, exit_code, finished_at } = run;
  const flaky = await flakyInRun(store, run);
  const { seed } = options;
  const matrix = isMatrix(summaries)
    ? (await import('../../run/compare/run-matrix.ts')).runMatrix(summaries, {
        trials: await matrixTrials(store, run_id, summaries.length),
        seed,
      })
    : null;
  const overall = matrix ? null : runOverall(summaries, seed);
  const notes = runNotes(run);
  const beginnings = await Promise.all(
    summaries.map((summary, index) => beginningsOf(summary, run.scenarios[index]?.scenario.data ?? [])),
  );
  const facts = { run_id, verdict: verdict ?? 'UNSCORED', exit_code: exit_code ?? 3, overall };
  return {
    report: {
      ...facts,
      ...{ matrix, flaky, notes },
      duration_seconds: finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000,
      scenarios: summaries.map((summary, index) => ({
        ...summary,
        statuses: marks[index]?.statuses,
        worst: marks[index]?.worst,
        beginnings: beginnings[index],
      })),
    },
    stream: {
      ...{ matrix, notes },
      run: { ...facts, created_at, seed, git: run.git, flaky },
      scenarios: summaries.map((summary, index) => ({ summary, trials: () => resultsOf(store, run_id, index) })),
    },
  };
}

async function beginningsOf(
  { cases }: ScenarioSummary,
  rows: readonly Record<string, unknown>[],
): Promise<Map<number, string>> {
  const failed = cases.filter(({ verdict }) => verdict !== 'PASS');
  if (failed.length === 0) return new Map();
  const { rowBeginning } = await import('./words/case-label.ts');
  return new Map(
    failed.flatMap(({ case_index: index }) => {
      const beginning = rowBeginning(rows[index] ?? {}, index);
      return beginning === null ? [] : [[index, beginning] as const];
    }),
  );
}

/**
 * What a reader must know of the verdict of a run of several agents or versions of Salvo, and of the cost of one whose
 * process was killed.
 */
export function runNotes({
  options,
  scenarios,
  run_id,
}: Pick<RunRecord, 'options' | 'scenarios' | 'run_id'>): string[] {
  const { mixed = [], salvo_versions: versions = [], cassette, tool_cassettes: ofTools = {} } = options;
  const isKilled = scenarios.some(
    ({ summary }) => summary && [costOfAgents, costOfJudges, costOfUsers].some((costOf) => wasKilled(costOf(summary))),
  );
  const brokenRoles = brokenRolesNote(scenarios.map(({ summary }) => summary));
  return [
    ...(cassette ? [cassetteNote(cassette)] : []),
    ...toolCassetteNotes(ofTools),
    ...(options.faults ? [faultsNote(options.faults, run_id)] : []),
    ...(brokenRoles === null ? [] : [brokenRoles]),
    ...holdoutNotes(scenarios, options.cases),
    ...(mixed.length > 0
      ? [`A mixture of different agents: ${mixed.join(', ')}. The verdict holds for none of them alone.`]
      : []),
    ...(versions.length > 1
      ? [`Made by Salvo ${versions.join(' and ')}: trials may have been run or judged in different ways.`]
      : []),
    ...(isKilled
      ? [
          'A process was killed or stopped responding: calls that were under way then may have been billed, and are not counted in the cost.',
        ]
      : []),
  ];
}

/** By scenario. */
async function matrixTrials(store: Pick<Store, 'trials'>, runId: string, scenarios: number): Promise<MatrixTrial[][]> {
  const trials = Array.from({ length: scenarios }, (): MatrixTrial[] => []);
  for await (const { scenario_index, result } of store.trials(runId)) {
    if (result) trials[scenario_index]?.push(matrixTrial(result));
  }
  return trials;
}

function matrixTrial(result: TrialResult): MatrixTrial {
  const { case: name, trial_number: trial, status, passed, score, answer_hash: answer, latency_seconds } = result;
  return { case: name, trial, passed: status === 'unscored' ? null : passed, score, answer, latency_seconds };
}

/** Cases of other runs are read, too: so many at the most. */
const MOST_CASES = 20_000;
const MOST_RUNS = 20;

/** What has trials in this run, and both passed and failed in it and other runs of its commit together. */
export async function flakyInRun(store: Pick<Store, 'listRuns'>, run: RunRecord): Promise<FlakyCase[]> {
  const { git, reeval_of, run_id } = run;
  if (git === null || git.dirty || reeval_of !== null) return [];
  const cases = run.scenarios.reduce((sum, { summary }) => sum + (summary?.cases.length ?? 0), 1);
  const limit = Math.max(1, Math.min(MOST_RUNS, Math.floor(MOST_CASES / cases)));
  const others = await store.listRuns({ commit: git.commit, cases: true, limit });
  const { flakyCases } = await import('../../run/verdict/flaky-cases.ts');
  const all = flakyCases([run, ...others.filter((other) => other.run_id !== run_id)]);
  return all.filter(({ runs }) => runs.includes(run_id));
}

interface Marks {
  statuses: TrialStatus[];
  worst: ReportedScenario['worst'];
  /** How many trials come before those of a case. */
  before: ReadonlyMap<number, number>;
  /** The cases in quarantine: their failures explain nothing. */
  leftOut: ReadonlySet<number>;
}

function trialsBefore({ cases }: ScenarioSummary): Map<number, number> {
  let before = 0;
  return new Map(
    cases.map(({ case_index, trials_planned }) => {
      const entry: [number, number] = [case_index, before];
      before += trials_planned;
      return entry;
    }),
  );
}

/** Which trial to look at first: the lowest. */
const RANK: Record<TrialStatus, number> = { hard_fail: 0, crashed: 1, failed: 2, unscored: 3, passed: 4 };

async function* resultsOf(store: Pick<Store, 'trials'>, runId: string, index: number): AsyncGenerator<TrialResult> {
  for await (const { result } of store.trials(runId, { scenarioIndex: index })) {
    if (result) yield result;
  }
}

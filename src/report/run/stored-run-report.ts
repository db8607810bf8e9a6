import type { TrialStatus } from '../../evaluators/trial-status.ts';
import type { RunRecord } from '../../run/run-record.ts';
import type { Store } from '../../store/store.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { RunReport, RunStream } from './run-report.ts';

/** A stored run in the form that reports need: summaries, the statuses of trials, and the trials as a stream. */
export async function storedRunReport(
  store: Pick<Store, 'trials'>,
  run: RunRecord,
): Promise<{ report: RunReport; stream: RunStream }> {
  const summaries = run.scenarios.flatMap(({ summary }) => (summary ? [summary] : []));
  const marks = summaries.map((): { statuses: TrialStatus[]; worst: TrialResult | null } => ({
    statuses: [],
    worst: null,
  }));
  for await (const { scenario_index, result } of store.trials(run.run_id)) {
    const mark = marks[scenario_index];
    if (!mark || !result) continue;
    mark.statuses[result.trial_number - 1] = result.status;
    if (mark.worst === null || RANK[result.status] < RANK[mark.worst.status]) mark.worst = result;
  }
  const { run_id, created_at, options, verdict, exit_code, finished_at } = run;
  const facts = { run_id, verdict: verdict ?? 'UNSCORED', exit_code: exit_code ?? 3 };
  return {
    report: {
      ...facts,
      duration_seconds: finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000,
      scenarios: summaries.map((summary, index) => ({
        ...summary,
        statuses: marks[index]?.statuses,
        trace_id: marks[index]?.worst?.trace_id,
      })),
    },
    stream: {
      run: { ...facts, created_at, seed: options.seed },
      scenarios: summaries.map((summary, index) => ({ summary, trials: () => resultsOf(store, run_id, index) })),
    },
  };
}

/** Which trial to look at first: the lowest. */
const RANK: Record<TrialStatus, number> = { hard_fail: 0, failed: 1, unscored: 2, passed: 3 };

async function* resultsOf(store: Pick<Store, 'trials'>, runId: string, index: number): AsyncGenerator<TrialResult> {
  for await (const { result } of store.trials(runId, { scenarioIndex: index })) {
    if (result) yield result;
  }
}

import { type SummarizedResults, summarizeResults } from '../run/summarize-results.ts';
import { withFurtherResults } from '../trial/evaluate-trial.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { type CheckedTrial, scenarioOf } from './check-trials.ts';
import type { TestedRun } from './evaluate.ts';

/** Adds what a matcher checked to the stored run, as an assertion of its scenario. */
export async function storeCheck(tested: TestedRun, checked: readonly CheckedTrial[]): Promise<void> {
  const { threshold } = scenarioOf(tested);
  const changed: TrialResult[] = [];
  for (const [index, { result: further }] of checked.entries()) {
    const result = tested.results[index];
    if (!further || !result) continue;
    const next = withFurtherResults(result, { further: [further], threshold });
    tested.results[index] = next;
    changed.push(next);
  }
  if (changed.length === 0) return;
  const summarized = summarizeResults({ run: tested.record, ended: tested.run.summary, results: tested.results });
  tested.storing = tested.storing.then(() => storeResults(tested, changed, summarized));
  await tested.storing;
}

async function storeResults(
  { openStore, record: { run_id } }: TestedRun,
  changed: readonly TrialResult[],
  { summary, verdict, exit_code }: SummarizedResults,
): Promise<void> {
  if (!openStore) return;
  const store = await openStore();
  try {
    await using _lease = await store.claim({ kind: 'run', id: run_id });
    for (const result of changed) {
      const { case_index, case: name, trial_number, trace_id } = result;
      const trial = { run_id, scenario_index: 0, case_index, case: name, trial_number, trace_id };
      await store.saveTrial({ ...trial, result, earlier_cost: null });
    }
    await store.updateRun(run_id, { verdict, exit_code, summaries: [summary] });
  } finally {
    await store.close();
  }
}

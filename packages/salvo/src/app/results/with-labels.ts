import type { RunRecord } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';

/** The run with its judges' pass rates corrected by the labels that its own trials have now. */
export async function withLabels(store: Store, run: RunRecord): Promise<RunRecord> {
  if (!run.scenarios.some(({ summary }) => summary && summary.judges.length > 0)) return run;
  const { judgesOf } = await import('../../store/judge-tables.ts');
  // Conversations that were judged again keep the labels of the run that they are from.
  const labels = (await judgesOf(store).listLabels()).filter(
    ({ run_id, assertion_id }) => assertion_id !== null && (run_id === run.run_id || run.reeval_of !== null),
  );
  if (labels.length === 0) return run;
  const { correctByOwnLabels } = await import('../judges/own-labels.ts');
  return await correctByOwnLabels(store, run, labels);
}

import type { HumanLabel } from '../../judge/calibration/human-label.ts';
import { readVotes } from '../../judge/stored-votes.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';

/**
 * The outcomes that were given with imported conversations, as labels for the judges that have judged them since: each
 * trial is labelled by its file.
 */
export async function givenLabels(store: Store, { run_id, scenarios, created_at }: RunRecord): Promise<HumanLabel[]> {
  const labels: HumanLabel[] = [];
  for await (const { trace_id, result, ...place } of store.trials(run_id)) {
    const { scenario_index, case_index, case: caseName, trial_number } = place;
    const entry = scenarios[scenario_index];
    const given = result?.eval_results.find((each) => each.assertion_type === 'given' && each.status === 'scored');
    if (!entry || !given || trace_id === null) continue;
    for (const { assertion_id, metadata } of result?.eval_results ?? []) {
      if (readVotes(metadata) === null) continue;
      labels.push({
        ...{ label_id: `${trace_id} ${assertion_id}`, trace_id, run_id, scenario_index, case_index, trial_number },
        ...{ scenario: entry.name, file: entry.file, case: caseName, assertion_id, criterion: null },
        ...{ passed: given.passed, score: null, note: '', labelled_by: 'given', created_at },
      });
    }
  }
  return labels;
}

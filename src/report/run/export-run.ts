import type { RunRecord } from '../../run/run-record.ts';
import type { Store } from '../../store/store.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

/** One line of an export: a trial with everything that is known of it. */
export interface ExportedTrial {
  run_id: string;
  scenario: string;
  file: string;
  adapter: string;
  model: string;
  trial_number: number;
  result: TrialResult | null;
  trace: Trace | null;
}

/** The trials of a run with their traces, one at a time, so that a run of any size can be exported. */
export async function* exportRun(
  store: Pick<Store, 'trials' | 'getTrace'>,
  run: RunRecord,
): AsyncGenerator<ExportedTrial> {
  for await (const { scenario_index, trial_number, trace_id, result } of store.trials(run.run_id)) {
    const scenario = run.scenarios[scenario_index];
    if (!scenario) continue;
    const { name, file, adapter, model } = scenario;
    const trace = trace_id === null ? null : await store.getTrace(trace_id);
    yield { run_id: run.run_id, scenario: name, file, adapter, model, trial_number, result, trace };
  }
}

import type { Trace } from '../trace/trace.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { findRun, openProject, type Workplace } from './open-project.ts';

/** A trial with everything that is stored of it: one line of `salvo export`. */
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

/** The trials of a stored run with their traces, one at a time, so that a run of any size can be exported. */
export async function* exportRun(options: Workplace & { run: string }): AsyncGenerator<ExportedTrial> {
  await using opened = await openProject(options);
  const { store } = opened;
  const { run_id, scenarios } = await findRun(store, options.run);
  for await (const { scenario_index, trial_number, trace_id, result } of store.trials(run_id)) {
    const scenario = scenarios[scenario_index];
    if (!scenario) continue;
    const { name, file, adapter, model } = scenario;
    const trace = trace_id === null ? null : await store.getTrace(trace_id);
    yield { run_id, scenario: name, file, adapter, model, trial_number, result, trace };
  }
}

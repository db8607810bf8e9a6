import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { findRun } from '../../project/open-project.ts';
import type { TrialPlace } from '../trial/trial-view.ts';
import { alignMessages } from './align-messages.ts';

/** Two conversations side by side. The texts of their messages come in pages: see `messagePage`. */
export type TracePairView = Awaited<ReturnType<typeof tracePairView>>;

export type ComparedTrace = Awaited<ReturnType<typeof readTrace>>['head'];

export interface TrialOfRun extends TrialPlace {
  run: string;
}

export async function tracePairView(store: Store, base: TrialOfRun, next: TrialOfRun) {
  const [a, b] = [await readTrace(store, base), await readTrace(store, next)];
  const rows = alignMessages(a.trace.messages, b.trace.messages);
  const first = rows.findIndex(({ same }) => !same);
  return { base: a.head, next: b.head, rows, first_difference: first === -1 ? null : first };
}

async function readTrace(store: Store, place: TrialOfRun) {
  const run = await findRun(store, place.run);
  const trial = await store.getTrial(run.run_id, place);
  const entry = run.scenarios[place.scenario];
  if (!trial || !entry) throw new SalvoError('TRIAL_UNKNOWN', `Run ${run.run_id} has no such trial.`);
  const { case_index, case: caseName, trial_number, trace_id, result } = trial;
  const trace = trace_id === null ? null : await store.getTrace(trace_id);
  if (!trace || trace_id === null) {
    throw new SalvoError('TRACE_UNKNOWN', `Nothing was recorded of trial ${trial_number} of run ${run.run_id}.`);
  }
  const head = {
    ...{ run_id: run.run_id, scenario_index: place.scenario, scenario: entry.name, model: entry.model },
    ...{ case_index, case: caseName, trial_number, trace_id },
    ...{ status: result?.status ?? null, score: result?.score ?? null },
  };
  return { head, trace };
}

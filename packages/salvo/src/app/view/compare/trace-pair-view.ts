import type { TrialStatus } from '../../../evaluators/eval-result.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { Trace } from '../../../trace/trace.ts';
import { findRun } from '../../project/open-project.ts';
import type { TrialPlace } from '../trial/trial-view.ts';
import { type AlignedRow, alignMessages } from './align-messages.ts';

/** Two conversations side by side. The texts of their messages come in pages: see `messagePage`. */
export interface TracePairView {
  base: ComparedTrace;
  next: ComparedTrace;
  rows: AlignedRow[];
  /** The first row in which they differ; null if they are the same. */
  first_difference: number | null;
}

export interface ComparedTrace {
  run_id: string;
  scenario_index: number;
  scenario: string;
  model: string;
  case_index: number;
  case: string | null;
  trial_number: number;
  status: TrialStatus | null;
  score: number | null;
  trace_id: string;
}

export interface TrialOfRun extends TrialPlace {
  run: string;
}

export async function tracePairView(store: Store, base: TrialOfRun, next: TrialOfRun): Promise<TracePairView> {
  const [a, b] = [await readTrace(store, base), await readTrace(store, next)];
  const rows = alignMessages(a.trace.messages, b.trace.messages);
  const first = rows.findIndex(({ same }) => !same);
  return { base: a.head, next: b.head, rows, first_difference: first === -1 ? null : first };
}

async function readTrace(store: Store, place: TrialOfRun): Promise<{ head: ComparedTrace; trace: Trace }> {
  const run = await findRun(store, place.run);
  const trial = await store.getTrial(run.run_id, place);
  const entry = run.scenarios[place.scenario];
  if (!trial || !entry) throw new SalvoError('TRIAL_UNKNOWN', `Run ${run.run_id} has no such trial.`);
  const trace = trial.trace_id === null ? null : await store.getTrace(trial.trace_id);
  if (!trace || trial.trace_id === null) {
    throw new SalvoError('TRACE_UNKNOWN', `Nothing was recorded of trial ${trial.trial_number} of run ${run.run_id}.`);
  }
  const head: ComparedTrace = {
    run_id: run.run_id,
    scenario_index: place.scenario,
    scenario: entry.name,
    model: entry.model,
    case_index: trial.case_index,
    case: trial.case,
    trial_number: trial.trial_number,
    status: trial.result?.status ?? null,
    score: trial.result?.score ?? null,
    trace_id: trial.trace_id,
  };
  return { head, trace };
}

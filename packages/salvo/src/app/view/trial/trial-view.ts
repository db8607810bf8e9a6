import { scenarioCases } from '../../../scenario/cases/scenario-cases.ts';
import { judgesOf } from '../../../store/judge-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { stepsOf } from '../../../trace/steps-of.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { findRun } from '../../project/open-project.ts';
import { placeOf } from '../page-hrefs.ts';
import { assertionViews } from './assertion-view.ts';
import { prettyJson } from './pretty-json.ts';
import { stateView } from './state-view.ts';
import { workspaceView } from './workspace-view.ts';

/** A trial with its result. The messages of its conversation come in pages: see `messagePage`. */
export type TrialView = Awaited<ReturnType<typeof trialView>>;

/** A trace without its messages. */
export type TraceHead = ReturnType<typeof traceHead>;

export interface TrialPlace {
  scenario: number;
  case: number;
  trial: number;
}

export async function trialView(store: Store, idOrPrefix: string, place: TrialPlace) {
  const run = await findRun(store, idOrPrefix);
  const trial = await store.getTrial(run.run_id, place);
  const entry = run.scenarios[place.scenario];
  if (!trial || !entry) throw new SalvoError('TRIAL_UNKNOWN', `Run ${run.run_id} has no such trial.`);
  const { name, file, model, adapter } = entry;
  const row = scenarioCases(entry.scenario).rowOf(place.case);
  const trace = trial.trace_id === null ? null : await storedTrace(store, trial.trace_id);
  const results = trial.result?.eval_results ?? [];
  return {
    run_id: run.run_id,
    scenario: { index: place.scenario, name, file, model, adapter },
    case_index: place.case,
    case: trial.case,
    /** The row of the case as JSON; null without data. */
    row: row === null ? null : prettyJson(row),
    trial_number: trial.trial_number,
    /** Null while it was not judged. */
    result: trial.result && withoutResults(trial.result),
    /** Null if nothing was recorded. */
    trace: trace && traceHead(trial.trace_id ?? '', trace),
    assertions: assertionViews({
      scenario: entry.scenario,
      caseIndex: place.case,
      results,
      trace,
      calibrations: results.some(({ metadata }) => 'judge_hash' in metadata)
        ? await judgesOf(store).listCalibrations()
        : [],
    }),
  };
}

function withoutResults({ eval_results: _, ...result }: TrialResult): Omit<TrialResult, 'eval_results'> {
  return result;
}

function traceHead(trace_id: string, trace: Trace) {
  const { messages, tool_calls_made: _, final_content: __, workspace: ___, services: ____, ...head } = trace;
  const steps = stepsOf(trace).filter(({ latency_seconds, input_tokens }) => latency_seconds ?? input_tokens);
  const [state, environment] = [stateView(trace), workspaceView(trace)];
  return { ...head, trace_id, message_count: messages.length, steps, state, environment };
}

/** A trace that is looked at without its trial. */
export type TraceView = Awaited<ReturnType<typeof traceView>>;

export async function traceView(store: Store, idOrPrefix: string) {
  const [id = idOrPrefix, another] = await store.findTraceIds(idOrPrefix, 2);
  if (another !== undefined) throw new SalvoError('TRACE_AMBIGUOUS', `Several traces begin with ${idOrPrefix}.`);
  const trace = await existingTrace(store, id);
  const trial = await store.findTrialOfTrace(id);
  // The newest trial with this trace.
  return { trace: traceHead(id, trace), trial: trial && placeOf(trial) };
}

/** The trace that was asked for last: its messages are asked for page by page. A trace never changes. */
const LAST_TRACES = new WeakMap<Store, { traceId: string; trace: Trace }>();

async function storedTrace(store: Store, traceId: string): Promise<Trace | null> {
  const last = LAST_TRACES.get(store);
  if (last?.traceId === traceId) return last.trace;
  const trace = await store.getTrace(traceId);
  if (trace) LAST_TRACES.set(store, { traceId, trace });
  return trace;
}

export async function existingTrace(store: Store, traceId: string): Promise<Trace> {
  const trace = await storedTrace(store, traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  return trace;
}

import { resolveTraceId } from '../store/resolve-id.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Trace } from '../trace/trace.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { openProject, type Workplace } from './open-project.ts';

export interface ReplayedTrace {
  traceId: string;
  trace: Trace;
  /** The trial it belongs to; null when it was never evaluated. */
  trial: { scenario: string; result: TrialResult } | null;
}

/** A stored trace with its result, named by its id, the beginning of it, or `latest`. */
export async function replayTrace(options: Workplace & { trace: string }): Promise<ReplayedTrace> {
  await using opened = await openProject(options);
  const { store } = opened;
  const traceId = await resolveTraceId(store, options.trace);
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  const trial = await store.findTrialOfTrace(traceId);
  if (!trial?.result) return { traceId, trace, trial: null };
  const run = await store.getRun(trial.run_id);
  const scenario = run?.scenarios[trial.scenario_index]?.name ?? '';
  return { traceId, trace, trial: { scenario, result: trial.result } };
}

import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import type { RunScenario, StoredTrial } from '../run-record.ts';

interface TraceSource {
  listRuns(options?: {
    limit?: number;
  }): Promise<{ run_id: string; scenarios: Pick<RunScenario, 'name' | 'file'>[] }[]>;
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;
  getTrace(traceId: string): Promise<Trace | null>;
}

const MOST_RUNS = 100;
const MOST_TRACES = 20;

/** Traces of the latest run that has any of the same scenario; enough of them for an average. */
export async function earlierTraces(store: TraceSource, { scenario, relativeFile }: LoadedScenario): Promise<Trace[]> {
  for (const { run_id, scenarios } of await store.listRuns({ limit: MOST_RUNS })) {
    const scenarioIndex = scenarios.findIndex(({ name, file }) => name === scenario.name && file === relativeFile);
    if (scenarioIndex === -1) continue;
    const traces: Trace[] = [];
    for await (const { trace_id } of store.trials(run_id, { scenarioIndex })) {
      const trace = trace_id === null ? null : await store.getTrace(trace_id);
      if (trace && trace.error === null && !isMetadataOnly(trace)) traces.push(trace);
      if (traces.length === MOST_TRACES) break;
    }
    if (traces.length > 0) return traces;
  }
  return [];
}

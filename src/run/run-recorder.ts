import type { Trace } from '../trace/trace.ts';
import type { RunChange, RunRecord, StoredTrial } from './run-record.ts';

/** What a run needs of a store. A promise is resolved only when the data would survive the end of the process. */
export interface RunRecorder {
  createRun(run: RunRecord): Promise<void>;
  updateRun(runId: string, change: RunChange): Promise<void>;
  getRun(runId: string): Promise<RunRecord | null>;
  saveTrace(trace: Trace): Promise<string>;
  getTrace(traceId: string): Promise<Trace | null>;
  saveTrial(trial: StoredTrial): Promise<void>;
  trials(runId: string): AsyncIterable<StoredTrial>;
}

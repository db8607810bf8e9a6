import type { RunRecord, StoredTrial } from '../run/run-record.ts';
import type { RunRecorder } from '../run/run-recorder.ts';
import type { Trace } from '../trace/trace.ts';

/** Keeps one run in memory, for callers that want its result and no store. */
export function createMemoryRecorder(): RunRecorder {
  const runs = new Map<string, RunRecord>();
  const traces = new Map<string, Trace>();
  const trials = new Map<string, StoredTrial>();
  return {
    createRun: async (run) => void runs.set(run.run_id, run),
    async updateRun(runId, { summaries, ...change }) {
      const run = runs.get(runId);
      if (!run) return;
      const scenarios = run.scenarios.map((scenario, index) => ({
        ...scenario,
        summary: summaries?.[index] ?? scenario.summary,
      }));
      runs.set(runId, { ...run, ...change, scenarios });
    },
    getRun: async (runId) => runs.get(runId) ?? null,
    async saveTrace(trace) {
      const traceId = `trace-${traces.size + 1}`;
      traces.set(traceId, trace);
      return traceId;
    },
    getTrace: async (traceId) => traces.get(traceId) ?? null,
    saveTrial: async (trial) => void trials.set(`${trial.scenario_index} ${trial.trial_number}`, trial),
    async *trials() {
      yield* [...trials.values()].sort((a, b) => a.trial_number - b.trial_number);
    },
  };
}

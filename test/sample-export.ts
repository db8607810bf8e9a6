import type { TrialToExport } from '../packages/salvo/src/report/export/exported-parts.ts';
import type { TrialResult } from '../packages/salvo/src/trial/trial-result.ts';
import { sampleTrace } from './sample-trace.ts';

const RESULT: TrialResult = {
  ...{ case_index: 0, case: null, trial_number: 1, status: 'failed', score: 0.5, passed: false, latency_seconds: 1.5 },
  ...{ cost_usd: 0.01, judge_cost_usd: 0, retries: 0, error_message: null, trace_id: 'trace-1' },
  eval_results: [
    {
      ...{ assertion_type: 'judge', assertion_id: 'polite', score: 1, passed: true, weight: 1, required: false },
      ...{ status: 'scored', details: 'It is.', metadata: {} },
    },
    {
      ...{ assertion_type: 'tool_called', assertion_id: 'calls', score: 0, passed: false, weight: 2, required: true },
      ...{ status: 'unscored', details: 'Nobody saw the calls.', metadata: {} },
    },
  ],
};

/** A stored trial of the agent `shop`, with the changes that a test needs. */
export function sampleExport(changes: Partial<TrialToExport> = {}): TrialToExport {
  return {
    ...{
      run_id: 'k7m2p9qxyz',
      scenario: 'refund',
      file: 'scenarios/refund.yaml',
      adapter: 'shop',
      model: 'sample-model',
    },
    ...{ case_index: 0, case: null, trial_number: 1, result: RESULT, trace: sampleTrace() },
    tools: [{ name: 'lookup', description: 'Finds an order.', parameters: { type: 'object', properties: {} } }],
    ...changes,
  };
}

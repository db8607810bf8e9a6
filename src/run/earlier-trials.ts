import { isMetadataOnly } from '../trace/not-recorded.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import type { RunRecorder } from './run-record.ts';
import type { TrialCost } from './tally/scenario-tally.ts';

/** The trials that an interrupted run already has of one scenario. */
export interface EarlierTrials {
  /** Numbers of the trials that need nothing more. */
  done: Set<number>;
  /** Stored traces that can still be evaluated, by trial number, and what they have cost so far. */
  traces: Map<number, { traceId: string; cost: TrialCost }>;
  /** The known cost of the trials. */
  costUsd: number;
}

/** Sorts the stored trials of a run into what is done and what only needs evaluating. */
export async function readEarlierTrials(options: {
  runId: string;
  recorder: Pick<RunRecorder, 'trials' | 'getTrace'>;
  of: (scenario: number) => EarlierTrials | undefined;
  add: (scenario: number, result: TrialResult) => void;
}): Promise<void> {
  for await (const { scenario_index, trial_number, trace_id, result } of options.recorder.trials(options.runId)) {
    const earlier = options.of(scenario_index);
    if (!earlier) continue;
    if (result && result.status !== 'unscored') {
      earlier.done.add(trial_number);
      earlier.costUsd += (result.cost_usd ?? 0) + (result.judge_cost_usd ?? 0);
      options.add(scenario_index, result);
      continue;
    }
    const trace = trace_id === null ? null : await options.recorder.getTrace(trace_id);
    earlier.costUsd += (trace?.cost_usd ?? 0) + (result?.judge_cost_usd ?? 0);
    // The budget ended it. Run it again, because the budget may be larger now.
    if (trace?.finish_reason === 'budget') continue;
    // The agent finished but an assertion was unscored: only evaluate again. A trace without its texts cannot be
    // evaluated, so a trial with neither text nor result has to run again.
    const wasNotJudged = result === null || result.eval_results.some(({ status }) => status === 'unscored');
    if (wasNotJudged && trace !== null && trace_id !== null && !isMetadataOnly(trace)) {
      const cost = { cost_usd: trace.cost_usd, judge_cost_usd: result ? result.judge_cost_usd : 0 };
      earlier.traces.set(trial_number, { traceId: trace_id, cost });
    } else if (result) {
      earlier.done.add(trial_number);
      options.add(scenario_index, result);
    }
  }
}

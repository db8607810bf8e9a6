import { SalvoError } from '../../text/errors/salvo-error.ts';
import { TrialStopped } from '../../trial/agent-loop.ts';
import type { PreparedCase, PreparedScenario } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { type HookedTrial, type RunHooks, SetupError, type StartedTrial } from './run-hooks.ts';

export interface TrialJob {
  scenario: number;
  caseIndex: number;
  /** Null in a scenario without data. */
  caseName: string | null;
  trialNumber: number;
}

export interface BegunTrial {
  prepared: PreparedCase;
  /** Null if a stored trace only has to be judged: nothing is set up for that. */
  started: StartedTrial | null;
  context: HookedTrial;
}

/** Makes the scenario of a trial and runs its setups. Returns the problem if the trial cannot run. */
export async function beginTrial(
  { scenario: index, caseIndex, caseName, trialNumber }: TrialJob,
  { prepared, hooks, isRecorded }: { prepared: PreparedScenario; hooks: RunHooks; isRecorded: boolean },
): Promise<BegunTrial | { problem: SalvoError } | 'interrupted'> {
  const row = prepared.cases.rowOf(caseIndex) ?? {};
  const context = { index, scenario: prepared.scenario.name, case: caseName ?? '', row, trialNumber };
  try {
    const ofCase = prepared.caseOf(caseIndex);
    return { prepared: ofCase, started: isRecorded ? null : await hooks.startTrial(context), context };
  } catch (error) {
    // Of ten thousand rows, only those of a new kind are checked before.
    const isOfCase = error instanceof SalvoError && error.code === 'CASE_INVALID';
    if (isOfCase || error instanceof SetupError) return { problem: error };
    if (error instanceof TrialStopped) return 'interrupted';
    throw error;
  }
}

/** The result of a trial that could not begin. */
export function notRunnable(
  problem: SalvoError,
  { case_index, case: name, trial_number }: Pick<TrialResult, 'case_index' | 'case' | 'trial_number'>,
): TrialResult {
  return {
    case_index,
    case: name,
    trial_number,
    status: 'unscored',
    score: null,
    passed: false,
    eval_results: [],
    latency_seconds: null,
    cost_usd: 0,
    judge_cost_usd: 0,
    retries: 0,
    error_message: problem.message,
    error_code: problem.code,
    ...(problem instanceof SetupError && { error_stack: problem.hookStack }),
    answer_hash: null,
    trace_id: null,
  };
}

import { SalvoError } from '../../text/errors/salvo-error.ts';
import { TrialStopped } from '../../trial/agent-loop.ts';
import type { TrialEnvironment } from '../../trial/environment.ts';
import { EnvironmentError } from '../../trial/environment-error.ts';
import type { PreparedCase, PreparedScenario } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { type HookedTrial, type RunHooks, SetupError, type StartedTrial } from './run-hooks.ts';
import type { TrialRequest } from './run-request.ts';

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
  /** Null if the scenario has neither a workspace nor services. */
  environment: TrialEnvironment | null;
}

/** Makes the scenario of a trial and runs its setups. Returns the problem if the trial cannot run. */
export async function beginTrial(
  { scenario: index, caseIndex, caseName, trialNumber }: TrialJob,
  { prepared, hooks, isRecorded, request }: TrialBeginning,
): Promise<BegunTrial | { problem: SalvoError } | 'interrupted'> {
  const row = prepared.cases.rowOf(caseIndex) ?? {};
  const context = { index, scenario: prepared.scenario.name, case: caseName ?? '', row, trialNumber };
  let environment: TrialEnvironment | null = null;
  try {
    const ofCase = prepared.caseOf(caseIndex);
    if (isRecorded) return { prepared: ofCase, started: null, context, environment };
    environment = await environmentOf(ofCase, request, [ofCase.scenario.name, caseName ?? '', String(trialNumber)]);
    const { variables: _, ...given } = environment?.given ?? {};
    return { prepared: ofCase, started: await hooks.startTrial({ ...context, ...given }), context, environment };
  } catch (error) {
    await environment?.close();
    // Of ten thousand rows, only those of a new kind are checked before.
    const isOfCase = error instanceof SalvoError && ['CASE_INVALID', 'CODE_NOT_ALLOWED'].includes(error.code);
    if (isOfCase || error instanceof SetupError || error instanceof EnvironmentError) return { problem: error };
    if (error instanceof TrialStopped) return 'interrupted';
    throw error;
  }
}

interface TrialBeginning {
  prepared: PreparedScenario;
  hooks: RunHooks;
  isRecorded: boolean;
  request: Pick<TrialRequest, 'run' | 'stop' | 'services' | 'keepWorkspaces'>;
}

/** Opened before the hooks, which may fill a service with data. */
async function environmentOf(
  { scenario, file, env = {} }: PreparedCase,
  { run, stop, services, keepWorkspaces }: TrialBeginning['request'],
  nameOfTrial: readonly string[],
): Promise<TrialEnvironment | null> {
  if (scenario.workspace === undefined && scenario.services === undefined) return null;
  const { openEnvironment, keptWorkspaces } = await import('../../trial/environment.ts');
  const keepIn = keepWorkspaces ? keptWorkspaces(run.run_id) : null;
  const abort = services.abort ?? new AbortController().signal;
  const either = stop ? AbortSignal.any([stop, abort]) : abort;
  return await openEnvironment({ scenario, file, env, nameOfTrial, keepIn, stop: either, abort });
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

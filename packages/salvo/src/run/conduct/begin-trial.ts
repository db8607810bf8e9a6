import type { ErrorCode } from '../../text/errors/error-codes.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { TrialEnvironment } from '../../trial/environment.ts';
import type { PreparedCase, PreparedScenario } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { TrialStopped } from '../../trial/trial-result.ts';
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

/** Why a trial could not begin, while others may. */
const NOT_BEGUN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['CASE_INVALID', 'SERVICE_NOT_READY', 'WORKSPACE_NOT_COPIED', 'FILE_CHANGED', 'CODE_NOT_ALLOWED'] as const),
]);

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
    const { name, workspace, services } = ofCase.scenario;
    if (workspace !== undefined || services !== undefined) {
      environment = await environmentOf(ofCase, request, [name, caseName ?? '', String(trialNumber)]);
    }
    const { variables: _, ...given } = environment?.given ?? {};
    return { prepared: ofCase, started: await hooks.startTrial({ ...context, ...given }), context, environment };
  } catch (error) {
    await environment?.close();
    // Of ten thousand rows, only those of a new kind are checked before.
    const isOfTrial = error instanceof SalvoError && NOT_BEGUN.has(error.code);
    if (isOfTrial || error instanceof SetupError) return { problem: error };
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
): Promise<TrialEnvironment> {
  const { openEnvironment, keptWorkspaces } = await import('../../trial/environment.ts');
  const keepIn = keepWorkspaces ? keptWorkspaces(run.run_id) : null;
  const abort = services.abort ?? new AbortController().signal;
  const either = stop ? AbortSignal.any([stop, abort]) : abort;
  return await openEnvironment({ scenario, file, env, run, nameOfTrial, keepIn, stop: either, abort });
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

import { isEvaluatedAtOnce } from '../../evaluators/evaluate-trace.ts';
import { needsExactScores } from '../../evaluators/score-stakes.ts';
import type { Budget, Reservation } from '../../models/budget/budget.ts';
import { projectUser } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { NOT_SENT } from '../../text/modules/permitted-code.ts';
import { judgeCost, judgeCostFields, userCostOfTrace } from '../../trace/cost-fields.ts';
import type { Trace } from '../../trace/trace.ts';
import { evaluateTrial } from '../../trial/evaluate-trial.ts';
import { type PreparedScenario, runTrial, type TrialServices } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { addCosts, type EarlierTrace, traceCost, trialCost } from '../record/earlier-trials.ts';
import { isOnlyRecorded } from '../record/planned-cases.ts';
import type { RunRecord, TrialCost } from '../record/run-record.ts';
import { type BegunTrial, beginTrial, notRunnable, type TrialJob } from './begin-trial.ts';
import { unusedVotesCost } from './paid-votes.ts';
import type { RunHooks, StartedTrial } from './run-hooks.ts';
import type { AnswerPlace, TrialRequest } from './run-request.ts';

/** What a trial has to know of its scenario and of its own earlier attempts, and who counts what it gives. */
export interface TrialPlace {
  prepared: PreparedScenario;
  /** A stored trace, which only has to be judged. */
  earlierTrace: EarlierTrace | undefined;
  /** What earlier attempts cost. */
  earlierCost: TrialCost | null;
  /** Whether the verdict is certain, or the trial could not be scored. */
  isPointless(trial: { isRecorded: boolean }): boolean;
  countEarlierCost(cost: TrialCost): void;
  /** The trace is stored and has cost this, but there is no result yet. */
  countNotJudged(cost: TrialCost): void;
  countResult(result: TrialResult): void;
}

/**
 * Runs one trial, or judges its stored trace, and stores the result. Returns false if there is none: the trial was
 * interrupted, refused by the budget, or pointless.
 */
export async function performTrial(job: TrialJob, options: PerformOptions): Promise<boolean> {
  // In a function of its own: while the result is being stored, nothing keeps the objects of the trial in memory.
  const storing = await performUntilStored(job, options);
  options.onlyToStore?.();
  await storing?.done;
  return storing !== null;
}

interface PerformOptions {
  request: TrialRequest;
  place: TrialPlace;
  budget: Budget;
  hooks: RunHooks;
  /** Called when the trial is over and counted, so that the next can begin while its result is being stored. */
  onlyToStore?: () => void;
}

async function performUntilStored(job: TrialJob, options: PerformOptions): Promise<Storing | null> {
  const { request, place, budget, hooks } = options;
  const traceId = place.earlierTrace?.traceId ?? null;
  const earlier = traceId === null ? null : await request.recorder.getTrace(traceId);
  const isRecorded = earlier !== null;
  const reservation = await budget.reserve(job.scenario, request.stop);
  // While this job waited for the budget, the verdict may have become certain or the user may have stopped the run.
  if (!reservation || place.isPointless({ isRecorded }) || request.stop?.aborted) {
    reservation?.release(null);
    return null;
  }
  let started: StartedTrial | null = null;
  let environment: BegunTrial['environment'] = null;
  try {
    const begun = await beginTrial(job, { prepared: place.prepared, hooks, isRecorded, request });
    if (begun === 'interrupted') return null;
    const trial = { job, request, place, reservation, traceId, key: trialOf(request, job) };
    if ('problem' in begun) {
      return storeResult({ ...trial, traceId: null }, notRunnable(begun.problem, trial.key), place.earlierCost);
    }
    ({ started, environment } = begun);
    const trace = earlier ?? (await runAgent(trial, begun));
    return trace && (await judgeTrace(trial, trace, begun));
  } finally {
    await started?.end();
    if (environment) await environment.close();
    reservation.release();
  }
}

/** A result that is counted. */
interface Storing {
  /** It is stored. */
  done: Promise<void>;
}

/** A trial that has its share of the budget. */
interface TrialUnderWay {
  job: TrialJob;
  request: TrialRequest;
  place: TrialPlace;
  reservation: Reservation;
  /** Null until the trace is stored. */
  traceId: string | null;
  key: ReturnType<typeof trialOf>;
}

function trialOf({ run }: TrialRequest, { scenario, caseIndex, caseName, trialNumber }: TrialJob) {
  return {
    run_id: run.run_id,
    scenario_index: scenario,
    case_index: caseIndex,
    case: caseName,
    trial_number: trialNumber,
  };
}

/** Null if the agent was interrupted. */
async function runAgent(trial: TrialUnderWay, { prepared, started, environment }: BegunTrial): Promise<Trace | null> {
  const { job, request, place, reservation, key } = trial;
  const { recorder, run, services, stop, onEvent } = request;
  if (started === null || stop?.aborted) return null;
  const { scenario, caseName, trialNumber } = job;
  onEvent?.({ type: 'trial_started', scenario, trialNumber });
  const seed = seedOf(run, prepared.scenario);
  let ended: Trace;
  try {
    ended = await runTrial({
      prepared,
      runId: run.run_id,
      caseName,
      trialNumber,
      context: started.context,
      environment: environment?.given,
      budget: reservation,
      services: {
        ...services,
        stop,
        seed,
        user: userServices(trial, prepared),
        onRetry: () => onEvent?.({ type: 'retry' }),
      },
    });
    if (environment) ended = await environment.record(ended);
  } finally {
    onEvent?.({ type: 'trial_ended', scenario, trialNumber });
  }
  const trace = request.project.boundary === undefined ? ended : withMissingFileExplained(ended);
  // It counts as never run, so that a resumed run repeats it. What it cost stays on the bill.
  if (trace.finish_reason === 'interrupted' || wasNeverSent(trace)) {
    if (trace.cost_usd === 0 && userCostOfTrace(trace).usd === 0) return null;
    const cost = addCosts(place.earlierCost, traceCost(trace));
    place.countEarlierCost(cost);
    await recorder.saveTrial({ ...key, trace_id: null, result: null, earlier_cost: cost });
    return null;
  }
  // A paid trace is never lost: it is stored before anything else can fail.
  if (!recorder.saveFinished || !isEvaluatedAtOnce(prepared.scenario, trace)) await storeTrace(trial, trace);
  place.countNotJudged(traceCost(trace));
  return trace;
}

function userServices({ job, request }: TrialUnderWay, prepared: BegunTrial['prepared']): TrialServices['user'] {
  const { judgeServices, project } = request;
  if (!judgeServices) return undefined;
  return {
    models: modelsOfTrial(job, request, prepared),
    cache: judgeServices.voteCache,
    config: projectUser(project.config),
  };
}

/** Whoever is asked about or in a trial. */
function modelsOfTrial(
  job: TrialJob,
  { judgeServices }: TrialRequest,
  { scenario, adapterName: adapter, model }: BegunTrial['prepared'],
) {
  const trial = { scenario: scenario.name, case: job.caseName, adapter, model, trial: job.trialNumber };
  return judgeServices?.models?.ofTrial?.(trial) ?? judgeServices?.models;
}

const MISSING_FILE = /\bENOENT\b|no such file or directory|cannot find module|ModuleNotFoundError/i;

/** A file that an agent does not find on a worker may be one that was not sent. */
function withMissingFileExplained(trace: Trace): Trace {
  if (trace.error === null || !MISSING_FILE.test(trace.error)) return trace;
  return { ...trace, error: `${trace.error}\n${NOT_SENT}` };
}

/** Null if judges were interrupted. */
async function judgeTrace(trial: TrialUnderWay, trace: Trace, begun: BegunTrial): Promise<Storing | null> {
  const { request, place, reservation } = trial;
  const { earlierCost, earlierTrace } = place;
  let result: TrialResult;
  try {
    result = await evaluate(trial, trace, begun);
  } catch (error) {
    if (trial.traceId === null) await storeTrace(trial, trace);
    throw error;
  }
  const unused = unusedVotesCost(earlierTrace?.unscored ?? null, { judgement: result });
  const cost = unused.usd === 0 ? earlierCost : addCosts(earlierCost, trialCost({ judges: unused }));
  // A judge that was interrupted says nothing about the trial: a resumed run judges the stored trace.
  const isInterrupted = request.services.abort?.aborted || (reservation.wasRefused && trace.error === null);
  if (!isInterrupted || result.status !== 'unscored') return storeResult(trial, result, cost, trace);
  place.countNotJudged({ ...traceCost(trace), ...judgeCostFields(judgeCost(result)) });
  const lost = unusedVotesCost(result, { hasCache: Boolean(request.judgeServices?.voteCache) });
  const trace_id = trial.traceId ?? (await storeTrace(trial, trace));
  if (lost.usd !== 0) {
    const paid = addCosts(cost, trialCost({ judges: lost }));
    await request.recorder.saveTrial({ ...trial.key, trace_id, result: null, earlier_cost: paid });
  }
  return null;
}

function evaluate(
  { job, request, reservation, traceId }: TrialUnderWay,
  trace: Trace,
  { prepared, started, context }: BegunTrial,
): Promise<TrialResult> {
  const { project, run } = request;
  const { scenario, file, functions } = prepared;
  const { answersOf, ...judgeServices } = request.judgeServices ?? {};
  return evaluateTrial({
    trace,
    traceId,
    recordOnly: isOnlyRecorded(run.options, scenario),
    ofCase: { index: job.caseIndex, name: job.caseName },
    tools: prepared.tools,
    context: {
      ...judgeServices,
      models: modelsOfTrial(job, request, prepared),
      otherAnswer: answersOf && ((name) => answersOf(name, answerPlace(job, run))),
      budget: reservation,
      scenario,
      scenarioFile: file,
      project,
      exactScore: needsExactScores(run.options, scenario, project.config.defaults),
      trialNumber: job.trialNumber,
      seed: seedOf(run, scenario),
      signal: request.services.abort,
      checks: functions?.checks,
      trialContext: started?.context ?? { ...context, runId: run.run_id },
    },
  });
}

function answerPlace({ scenario: index, caseIndex, trialNumber }: TrialJob, { scenarios }: RunRecord): AnswerPlace {
  const own = scenarios[index];
  if (!own) throw new RangeError(`The run has no scenario ${index}.`);
  return { ...own, caseIndex, trialNumber };
}

/** Counts the result and begins to store it, with its trace if that is not stored yet. */
function storeResult(
  { job, request, place, traceId, key }: TrialUnderWay,
  result: TrialResult,
  cost: TrialCost | null,
  trace?: Trace,
): Storing {
  const { recorder, onEvent } = request;
  if (cost) place.countEarlierCost(cost);
  place.countResult(result);
  const trial = { ...key, result, earlier_cost: cost };
  const storing =
    trace && traceId === null && recorder.saveFinished
      ? recorder.saveFinished(trace, trial)
      : recorder.saveTrial({ ...trial, trace_id: traceId });
  const done = storing.then((stored) => {
    // Without secrets: a listener may print it.
    onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
  });
  // It is awaited after the teardown. Until then, a failure has no other listener.
  done.catch(() => {});
  return { done };
}

async function storeTrace(trial: TrialUnderWay, trace: Trace): Promise<string> {
  const { request, key, place } = trial;
  trial.traceId = await request.recorder.saveTrace(trace, { ...key, earlier_cost: place.earlierCost });
  return trial.traceId;
}

function seedOf({ options }: RunRecord, { seed }: Scenario): number {
  return options.seed ?? seed ?? 0;
}

/** Whether the budget ended the trial before its first request was sent. */
function wasNeverSent({ finish_reason, turn_count, cost_usd }: Trace): boolean {
  return finish_reason === 'budget' && turn_count === 0 && cost_usd === 0;
}

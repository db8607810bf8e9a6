import { eitherSignal } from '../../adapters/call/shared-signal.ts';
import type { Budget } from '../../models/budget/budget.ts';
import type { TakenJob } from '../../queue/work-queue.ts';
import { killedAttempt } from '../../run/conduct/killed-process.ts';
import { performTrial, type TrialPlace } from '../../run/conduct/perform-trial.ts';
import type { RunHooks } from '../../run/conduct/run-hooks.ts';
import type { TrialRequest } from '../../run/conduct/run-request.ts';
import { type ScenarioOutage, scenarioOutage } from '../../run/conduct/scenario-state.ts';
import { addCosts, whatIsMissing } from '../../run/record/earlier-trials.ts';
import type { JobRecorder } from '../../store/store.ts';
import type { Trace } from '../../trace/trace.ts';
import type { PreparedScenario } from '../../trial/run-trial.ts';
import { groupOf, readTrialJob } from './trial-job.ts';

/** What a worker has made ready for the trials of a run. */
export interface ReadyRun {
  request: Omit<TrialRequest, 'recorder'>;
  prepared: readonly PreparedScenario[];
  hooks: RunHooks;
  budget: Budget;
  /** Writes for a job as long as it is this worker's, and ends it with its result. */
  recorderOf: (job: TakenJob) => JobRecorder;
}

/**
 * Performs one trial for the coordinator of its run, with what is stored of the trial's earlier attempts. `nothing`: there is
 * no result, because of the budget, or because the run or this worker stops. `elsewhere`: this worker cannot reach the
 * model, and another one may.
 */
export async function performTrialJob(job: TakenJob, ready: ReadyRun): Promise<'done' | 'nothing' | 'elsewhere'> {
  const { request, budget, hooks } = ready;
  const { run, services } = request;
  const data = readTrialJob(job);
  const prepared = ready.prepared[data.scenario];
  if (!prepared) throw new RangeError(`The run has no scenario ${data.scenario}.`);
  const recorder = ready.recorderOf(job);
  // What a lost attempt of before a resume has cost may be added at any time: `saveTrial` keeps it.
  const stored = job.isUntouched && data.is_new ? null : await recorder.getTrial(run.run_id, data);
  const missing = stored && (await whatIsMissing(stored, recorder));
  if (missing?.what === 'nothing') return 'done';
  // Nothing is paid for by a worker that was suspended while it read this.
  await job.confirm();
  if (job.lost.aborted) return 'nothing';
  using either = eitherSignal(job.lost, services.abort);
  const outage = outageHere(ready, prepared);
  const isRecorded = missing?.what === 'judgement';
  const storedCost = stored?.earlier_cost ?? null;
  // The worker of an earlier attempt was killed, or could not store what it has paid for.
  const earlierCost = job.attempt > 1 ? addCosts(storedCost, killedAttempt({ isRecorded })) : storedCost;
  const place: TrialPlace = {
    prepared,
    earlierTrace: missing?.what === 'judgement' ? missing.trace : undefined,
    earlierCost: missing?.what === 'everything' ? addCosts(earlierCost, missing.cost) : earlierCost,
    isPointless: (trial) => outage(trial) !== null,
    // The coordinator counts what is stored.
    countEarlierCost: () => {},
    countNotJudged: () => {},
    countResult: () => {},
  };
  const trial = {
    scenario: data.scenario,
    caseIndex: data.case,
    caseName: prepared.cases.fieldsOf(data.case)?.name ?? null,
    trialNumber: data.trial,
  };
  const ofJob: TrialRequest = {
    ...request,
    recorder: confirmed(withoutOutages(recorder, outage), job),
    services: { ...services, abort: either.signal },
  };
  try {
    const hasResult = await performTrial(trial, { request: ofJob, place, budget, hooks });
    if (hasResult) return 'done';
    return outage({ isRecorded: place.earlierTrace !== undefined }) ? 'elsewhere' : 'nothing';
  } catch (error) {
    if (error instanceof OutageHere) return 'elsewhere';
    throw error;
  }
}

/** A worker that was suspended while its trace was written pays for no votes if the job is another one's by then. */
function confirmed(recorder: TrialRequest['recorder'], job: TakenJob): TrialRequest['recorder'] {
  return {
    ...recorder,
    async saveTrace(trace, trial) {
      const id = await recorder.saveTrace(trace, trial);
      await job.confirm();
      return id;
    },
  };
}

/** Whether this worker must wait until the coordinator knows that nobody can reach a model that its jobs need. */
export function waitsForCoordinator(ready: ReadyRun, isPointless: (group: string) => boolean): boolean {
  return ready.prepared.some((prepared, scenario) => {
    const outage = outageHere(ready, prepared);
    return [true, false].some(
      (isRecorded) => outage({ isRecorded }) && !isPointless(groupOf(scenario, { isRecorded })),
    );
  });
}

function outageHere({ request: { run, services, project } }: ReadyRun, scenario: PreparedScenario): ScenarioOutage {
  return scenarioOutage({
    scenario,
    judge: project.config.judge,
    recordOnly: run.options.record_only,
    outageOf: services.outageOf,
  });
}

/** The trial was not scored because of this worker: it is for another one. */
class OutageHere extends Error {}

/** Stores nothing of an attempt that failed because of an outage, unless it was paid for. */
function withoutOutages(recorder: TrialRequest['recorder'], outage: ScenarioOutage): TrialRequest['recorder'] {
  const { saveFinished } = recorder;
  const refuseOutage = (trace: Trace): void => {
    if (trace.error !== null && trace.cost_usd === 0 && outage({ isRecorded: false })) throw new OutageHere();
  };
  return {
    ...recorder,
    async saveTrace(trace, trial) {
      refuseOutage(trace);
      return await recorder.saveTrace(trace, trial);
    },
    saveFinished:
      saveFinished &&
      (async (trace, trial) => {
        refuseOutage(trace);
        return await saveFinished(trace, trial);
      }),
    async saveTrial(trial) {
      const { result } = trial;
      const isUnpaid = result?.status === 'unscored' && result.judge_cost_usd === 0 && trial.trace_id !== null;
      if (isUnpaid && outage({ isRecorded: true })) throw new OutageHere();
      return await recorder.saveTrial(trial);
    },
  };
}

import type { Budget } from '../../models/budget/budget.ts';
import type { Notice, TakenJob } from '../../queue/work-queue.ts';
import type { PreparedScenario } from '../../trial/run-trial.ts';
import { killedAttempt } from '../conduct/killed-process.ts';
import { performTrial, type TrialPlace } from '../conduct/perform-trial.ts';
import { calledModels } from '../conduct/prepare-scenario.ts';
import type { RunHooks } from '../conduct/run-hooks.ts';
import type { TrialRequest } from '../conduct/run-request.ts';
import { type ScenarioOutage, scenarioOutage } from '../conduct/scenario-state.ts';
import { addCosts, whatIsMissing } from '../record/earlier-trials.ts';
import type { StoredTrial } from '../record/run-record.ts';
import { groupOf, readTrialJob, type TrialJobData } from './trial-job.ts';

/** A run as one of its workers has it open. */
export interface RunDesk {
  request: Omit<TrialRequest, 'recorder'>;
  prepared: readonly PreparedScenario[];
  hooks: RunHooks;
  budget: Budget;
  /** Writes for a job as long as it is this worker's, and ends it with its result. */
  recorderOf: (job: TakenJob) => TrialRequest['recorder'] & {
    getTrial(runId: string, place: TrialJobData): Promise<StoredTrial | null>;
  };
  notify: (notice: Notice) => Promise<void>;
  /** Its id. */
  worker: string;
}

/**
 * Performs one trial for the lead of its run, with what is stored of the trial's earlier attempts. `nothing`: there is
 * no result, because of the budget, or because the run or this worker stops. `elsewhere`: this worker cannot reach the
 * model, and another one may.
 */
export async function performTrialJob(job: TakenJob, desk: RunDesk): Promise<'done' | 'nothing' | 'elsewhere'> {
  const { request, budget, hooks } = desk;
  const { run, services } = request;
  const data = readTrialJob(job);
  const prepared = desk.prepared[data.scenario];
  if (!prepared) throw new RangeError(`The run has no scenario ${data.scenario}.`);
  const recorder = desk.recorderOf(job);
  // What a lost attempt of before a resume has cost may be added at any time: `saveTrial` keeps it.
  const stored = job.isUntouched && data.is_new ? null : await recorder.getTrial(run.run_id, data);
  const missing = stored && (await whatIsMissing(stored, recorder));
  if (missing?.what === 'nothing') return 'done';
  // Nothing is paid for by a worker that was suspended while it read this.
  await job.confirm();
  if (job.lost.aborted) return 'nothing';
  const abort = AbortSignal.any([job.lost, ...(services.abort ? [services.abort] : [])]);
  const outage = outageHere(desk, prepared);
  const isRecorded = missing?.what === 'judgement';
  const storedCost = stored?.earlier_cost ?? null;
  // The worker of an earlier attempt was killed, or could not store what it has paid for.
  const earlierCost = job.attempt > 1 ? addCosts(storedCost, killedAttempt({ isRecorded })) : storedCost;
  const place: TrialPlace = {
    prepared,
    earlierTrace: missing?.what === 'judgement' ? missing.trace : undefined,
    earlierCost: missing?.what === 'everything' ? addCosts(earlierCost, missing.cost) : earlierCost,
    isPointless: (trial) => outage(trial) !== null,
    // The lead counts what is stored.
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
    recorder: withoutOutages(recorder, outage),
    services: { ...services, abort },
  };
  try {
    const hasResult = await performTrial(trial, { request: ofJob, place, budget, hooks });
    if (hasResult) return 'done';
    return outage({ isRecorded: place.earlierTrace !== undefined }) ? 'elsewhere' : 'nothing';
  } catch (error) {
    if (error instanceof OutageHere) return 'elsewhere';
    throw error;
  } finally {
    await tellLead(desk, prepared);
  }
}

/** Whether this worker must wait until the lead knows that nobody can reach a model that its jobs need. */
export function waitsForLead(desk: RunDesk, isPointless: (group: string) => boolean): boolean {
  return desk.prepared.some((prepared, scenario) => {
    const outage = outageHere(desk, prepared);
    return [true, false].some(
      (isRecorded) => outage({ isRecorded }) && !isPointless(groupOf(scenario, { isRecorded })),
    );
  });
}

function outageHere({ request: { run, services, project } }: RunDesk, scenario: PreparedScenario): ScenarioOutage {
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
  return {
    ...recorder,
    async saveTrace(trace, trial) {
      if (trace.error !== null && trace.cost_usd === 0 && outage({ isRecorded: false })) throw new OutageHere();
      return await recorder.saveTrace(trace, trial);
    },
    async saveTrial(trial) {
      const { result } = trial;
      const isUnpaid = result?.status === 'unscored' && result.judge_cost_usd === 0 && trial.trace_id !== null;
      if (isUnpaid && outage({ isRecorded: true })) throw new OutageHere();
      return await recorder.saveTrial(trial);
    },
  };
}

/** What this worker knows and the lead does not: which providers refuse all requests, and that the budget is used up. */
async function tellLead({ request, budget, notify, worker }: RunDesk, scenario: PreparedScenario): Promise<void> {
  const { run, project, services } = request;
  if (budget.refusal !== null) await notify({ type: 'budget', message: budget.refusal });
  for (const { adapter, model } of await calledModels({
    prepared: [scenario],
    project,
    recordOnly: run.options.record_only,
  })) {
    const { proof } = services.outageOf(adapter, model);
    if (proof) await notify({ type: 'outage', worker, adapter, model, message: proof.message, code: proof.code });
  }
}

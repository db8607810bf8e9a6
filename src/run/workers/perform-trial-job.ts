import type { Budget } from '../../models/budget.ts';
import type { Notice, TakenJob } from '../../queue/work-queue.ts';
import type { PreparedScenario } from '../../trial/run-trial.ts';
import { addCosts, whatIsMissing } from '../earlier-trials.ts';
import { performTrial, type TrialPlace } from '../perform-trial.ts';
import { calledModels } from '../prepare-scenario.ts';
import type { RunHooks } from '../run-hooks.ts';
import type { StoredTrial } from '../run-record.ts';
import type { TrialRequest } from '../run-request.ts';
import { scenarioOutage } from '../scenario-outage.ts';
import { readTrialJob, type TrialJobData } from './trial-job.ts';

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
}

/**
 * Performs one trial for the lead of its run, with what is stored of the trial's earlier attempts. Returns false if
 * there is no result, because of the budget, an outage, or because the run or this worker stops.
 */
export async function performTrialJob(job: TakenJob, desk: RunDesk): Promise<boolean> {
  const { request, budget, hooks } = desk;
  const { run, services, project } = request;
  const data = readTrialJob(job);
  const prepared = desk.prepared[data.scenario];
  if (!prepared) throw new RangeError(`The run has no scenario ${data.scenario}.`);
  const recorder = desk.recorderOf(job);
  const stored = await recorder.getTrial(run.run_id, data);
  const missing = stored && (await whatIsMissing(stored, recorder));
  if (missing?.what === 'nothing') return true;
  const abort = AbortSignal.any([job.lost, ...(services.abort ? [services.abort] : [])]);
  const outage = scenarioOutage({
    scenario: prepared,
    judge: project.config.judge,
    recordOnly: run.options.record_only,
    outageOf: services.outageOf,
  });
  const earlierCost = stored?.earlier_cost ?? null;
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
  const ofJob: TrialRequest = { ...request, recorder, services: { ...services, abort } };
  const hasResult = await performTrial(trial, { request: ofJob, place, budget, hooks });
  await tellLead(desk);
  return hasResult;
}

/** What this worker knows and the lead does not: which providers refuse all requests, and that the budget is used up. */
async function tellLead({ request, prepared, budget, notify }: RunDesk): Promise<void> {
  const { run, project, services } = request;
  if (budget.refusal !== null) await notify({ type: 'budget', message: budget.refusal });
  for (const { adapter, model } of calledModels({ prepared, project, recordOnly: run.options.record_only })) {
    const { proof } = services.outageOf(adapter, model);
    if (proof) await notify({ type: 'outage', adapter, model, message: proof.message, code: proof.code });
  }
}

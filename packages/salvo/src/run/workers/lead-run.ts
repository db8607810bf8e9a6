import { type ChangedResults, type CoordinatedWork, coordinate, type Lead } from '../../queue/coordinate.ts';
import { createNoticedOutages } from '../../queue/noticed-outages.ts';
import type { FailedJob, Job } from '../../queue/work-queue.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import { notRunnable } from '../conduct/begin-trial.ts';
import { conductRun, type PerformedRun } from '../conduct/conduct-run.ts';
import { killedAttempt, markKilled } from '../conduct/killed-process.ts';
import type { ConductedRun, RunOutcome } from '../conduct/run-request.ts';
import { addFinished, missingTrials, type ScenarioState, storedStates } from '../conduct/scenario-state.ts';
import { addCosts, JOB_FAILED, noEarlierTrials } from '../record/earlier-trials.ts';
import { trialKey } from '../record/planned-cases.ts';
import type { StoredTrial } from '../record/run-record.ts';
import { groupOf, jobOfTrial, readTrialJob } from './trial-job.ts';

/** A run whose trials workers perform. */
export interface LeadRunRequest extends Lead, Omit<ConductedRun, 'outageOf'> {
  /** What a worker must have for the trials of a scenario, by its position. */
  labelsOf: (scenario: number) => readonly string[];
  getTrial: (runId: string, place: { scenario: number; case: number; trial: number }) => Promise<StoredTrial | null>;
  /** Trials that changed since the cursor: a page of them. */
  changedTrials: (runId: string, cursor: string) => Promise<ChangedResults<StoredTrial>>;
}

/** Adds the missing trials as jobs, follows their results, ends the run, and returns its verdict. */
export async function leadRun(request: LeadRunRequest): Promise<RunOutcome> {
  const outages = createNoticedOutages();
  const plan: ConductedRun = { ...request, outageOf: outages.outageOf };
  return await conductRun(plan, async ({ states, spentUsd }, signals) => {
    if (request.wasAttemptLost()) await markKilled(states, plan);
    const work: CoordinatedWork<StoredTrial, PerformedRun> = {
      outages,
      earlier: { spentUsd },
      jobs: () => jobsOf(states, request.labelsOf),
      changed: (cursor) => request.changedTrials(request.run.run_id, cursor),
      count: (trial) => countTrial(trial, { request, states }),
      pointless: () => states.flatMap((state, scenario) => pointlessGroups(state, scenario)),
      onFailed: (failed) => storeFailed(failed, { request, states }),
      onEvent: (event) => plan.onEvent?.(event),
      ended: async (said) => ({ ...said, states: await countedStates(plan, states, request) }),
    };
    return await coordinate(request, work, signals);
  });
}

/** Counts what is stored when no job is left. */
async function countedStates(
  plan: ConductedRun,
  states: readonly ScenarioState[],
  { isTakenOver }: Lead,
): Promise<ScenarioState[]> {
  const counted = await storedStates(plan, (scenario, key) => !isTakenOver && wasLeft(states[scenario], key));
  for (const [index, { ended }] of states.entries()) {
    const state = counted[index];
    if (state) state.ended ??= ended;
  }
  return counted;
}

function* jobsOf(states: readonly ScenarioState[], labelsOf: LeadRunRequest['labelsOf']): Generator<Job> {
  for (const trial of missingTrials(states)) {
    const key = trialKey(trial.caseIndex, trial.trialNumber);
    const { traces, unanswered, repeatedCosts } = states[trial.scenario]?.earlier ?? noEarlierTrials();
    const isRecorded = traces.has(key);
    const isNew = !isRecorded && !unanswered.has(key) && !repeatedCosts.has(key);
    yield jobOfTrial(trial, { isRecorded, isNew, labels: labelsOf(trial.scenario) });
  }
}

/** Counts what a worker has stored, so that an early end is noticed and progress can be shown. */
function countTrial(
  { scenario_index: scenario, case_index, trial_number, result }: StoredTrial,
  { request, states }: { request: LeadRunRequest; states: readonly ScenarioState[] },
): void {
  const state = states[scenario];
  const key = trialKey(case_index, trial_number);
  if (!state || !result || state.earlier.done.has(key)) return;
  state.earlier.done.add(key);
  addFinished(state, result, request);
  request.onEvent?.({ type: 'trial_finished', scenario, result });
}

function pointlessGroups(state: ScenarioState, scenario: number): string[] {
  return [true, false].flatMap((isRecorded) =>
    state.ended || state.outage({ isRecorded }) ? [groupOf(scenario, { isRecorded })] : [],
  );
}

/** Whether a trial was to be repeated, and was not. */
function wasLeft(state: ScenarioState | undefined, key: number): boolean {
  if (!state) return false;
  const { done, unanswered, traces } = state.earlier;
  return !done.has(key) && (unanswered.has(key) || traces.has(key));
}

/** A trial that no worker could end is not scored, and says why. What it has cost stays on the bill. */
async function storeFailed(
  { job, attempts, reason }: FailedJob,
  { request, states }: { request: LeadRunRequest; states: readonly ScenarioState[] },
): Promise<void> {
  const { run, recorder } = request;
  const place = readTrialJob(job);
  const stored = await request.getTrial(run.run_id, place);
  if (stored?.result) return;
  const trial = {
    run_id: run.run_id,
    scenario_index: place.scenario,
    case_index: place.case,
    case: states[place.scenario]?.cases.find(({ index }) => index === place.case)?.name ?? null,
    trial_number: place.trial,
  };
  const trace_id = stored?.trace_id ?? null;
  const trace = trace_id === null ? null : await recorder.getTrace(trace_id);
  const problem = new SalvoError(JOB_FAILED, `given up after ${attempts} attempts: ${reason}`);
  const result = { ...notRunnable(problem, trial), ...(trace && agentCostFields(agentCost(trace))), trace_id };
  const cost = addCosts(stored?.earlier_cost ?? null, killedAttempt({ isRecorded: trace !== null }));
  await recorder.saveTrial({ ...trial, trace_id, result, earlier_cost: cost });
}

import type { EarlierSpending } from 'salvo/kit/models';
import {
  createNoticedOutages,
  createRefusals,
  type FailedJob,
  followOrder,
  type Job,
  type LedOrder,
  type NoticedOutages,
  type WorkerDescription,
} from 'salvo/kit/queue';
import {
  addCosts,
  addFinished,
  type ClaimedRun,
  conductRun,
  JOB_FAILED,
  killedAttempt,
  markKilled,
  missingTrials,
  noEarlierTrials,
  notRunnable,
  type PerformedRun,
  type RunOutcome,
  type RunPlan,
  type ScenarioState,
  type StoredTrial,
  storedStates,
  trialKey,
} from 'salvo/kit/run';
import { openResources, SalvoError } from 'salvo/kit/text';
import { agentCost, agentCostFields } from 'salvo/kit/trace';
import { groupOf, jobOfTrial, readTrialJob } from './trial-job.ts';

/** A run whose trials workers perform. */
export interface LeadRequest extends Omit<RunPlan, 'outageOf'> {
  /** Opens the order, once the run is claimed and stored. `spentUsd`: what its stored trials have cost. */
  openOrder: (earlier: EarlierSpending) => Promise<LedOrder>;
  /** Whether it goes on with the jobs of a lead that is gone. */
  isTakenOver: boolean;
  /** Whether a worker of the earlier lead was lost with something under way. */
  wasAttemptLost: () => boolean;
  /** What a worker must have for the trials of a scenario, by its position. */
  labelsOf: (scenario: number) => readonly string[];
  getTrial: (runId: string, place: { scenario: number; case: number; trial: number }) => Promise<StoredTrial | null>;
  /** Where the changes of its trials had got to when it was claimed, before what is stored was read. */
  claimedAt: () => string;
  /** Trials that changed since the cursor: a page of them. */
  changedTrials: (runId: string, cursor: string) => Promise<{ trials: StoredTrial[]; cursor: string }>;
  /** Why nobody can take the jobs that wait, and what to do; null if somebody can. */
  whyNoWorker: () => Promise<string | null>;
  /** Workers that are there and can take its jobs. */
  fittingWorkers: () => Promise<readonly WorkerDescription[]>;
  /** The ids of all workers that are there. */
  workersNow: () => Promise<ReadonlySet<string>>;
  /** Aborted: this process leaves the run to the workers. Rejects with a `LeftToWorkers`. */
  leave?: AbortSignal | undefined;
}

/** Adds the missing trials as jobs, follows their results, ends the run, and returns its verdict. */
export async function leadRun(request: LeadRequest): Promise<RunOutcome> {
  const outages = createNoticedOutages();
  const plan: RunPlan = { ...request, outageOf: outages.outageOf };
  return await conductRun(plan, (claimed) => performByWorkers(request, claimed, outages));
}

async function performByWorkers(
  request: LeadRequest,
  claimed: ClaimedRun,
  outages: NoticedOutages,
): Promise<PerformedRun> {
  const { plan, states } = claimed;
  if (request.wasAttemptLost()) await markKilled(states, plan);
  await using opened = openResources();
  const spentUsd = states.reduce((sum, { earlier }) => sum + earlier.costUsd, 0);
  const led = opened.use(await request.openOrder({ spentUsd }));
  const readTrials = followTrials(request, states, request.claimedAt());
  const warnings: string[] = [];
  const refusals = createRefusals(request.fittingWorkers);
  let budgetRefusal: string | null = null;

  await followOrder(
    led,
    {
      jobs: () => jobsOf(states, request.labelsOf),
      async readResults() {
        await readTrials();
        const waiting = await outages.decide(request.fittingWorkers);
        for (const reason of waiting) plan.onEvent?.({ type: 'no_worker', reason });
      },
      pointless: () => states.flatMap((state, scenario) => pointlessGroups(state, scenario)),
      onNotice(notice) {
        if (notice.type === 'budget') budgetRefusal ??= notice.message;
        else if (notice.type === 'warning') warnings.push(notice.message);
        else outages.add(notice);
        if (notice.type === 'refusal') refusals.add(notice);
      },
      onFailed: (failed) => storeFailed(failed, { request, states }),
      onActive: (trials) => plan.onEvent?.({ type: 'under_way', trials }),
      async whyNoWorker() {
        for (const reason of await refusals.reasons()) plan.onEvent?.({ type: 'no_worker', reason });
        return await request.whyNoWorker();
      },
      onNoWorker: (reason) => plan.onEvent?.({ type: 'no_worker', reason }),
      workersNow: request.workersNow,
    },
    { ...claimed, lost: claimed.lease.lost, leave: request.leave },
  );
  const counted = await storedStates(plan, (scenario, key) => !request.isTakenOver && wasLeft(states[scenario], key));
  for (const [index, { ended }] of states.entries()) {
    const state = counted[index];
    if (state) state.ended ??= ended;
  }
  opened.release();
  return { states: counted, budgetRefusal, warnings, led };
}

function* jobsOf(states: readonly ScenarioState[], labelsOf: LeadRequest['labelsOf']): Generator<Job> {
  for (const trial of missingTrials(states)) {
    const key = trialKey(trial.caseIndex, trial.trialNumber);
    const { traces, unanswered, repeatedCosts } = states[trial.scenario]?.earlier ?? noEarlierTrials();
    const isRecorded = traces.has(key);
    const isNew = !isRecorded && !unanswered.has(key) && !repeatedCosts.has(key);
    yield jobOfTrial(trial, { isRecorded, isNew, labels: labelsOf(trial.scenario) });
  }
}

/** Counts what workers have stored, so that an early end is noticed and progress can be shown. */
function followTrials(request: LeadRequest, states: readonly ScenarioState[], start: string): () => Promise<void> {
  let cursor = start;
  return async () => {
    for (;;) {
      const page = await request.changedTrials(request.run.run_id, cursor);
      cursor = page.cursor;
      for (const { scenario_index, case_index, trial_number, result } of page.trials) {
        const state = states[scenario_index];
        const key = trialKey(case_index, trial_number);
        if (!state || !result || state.earlier.done.has(key)) continue;
        state.earlier.done.add(key);
        addFinished(state, result, request);
        request.onEvent?.({ type: 'trial_finished', scenario: scenario_index, result });
      }
      if (page.trials.length === 0) return;
    }
  };
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
  { request, states }: { request: LeadRequest; states: readonly ScenarioState[] },
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

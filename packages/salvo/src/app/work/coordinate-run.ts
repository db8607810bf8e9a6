import { calibrationLookup } from '../../judge/calibration/judges-in-use.ts';
import { type CoordinatedWork, coordinate } from '../../queue/coordinate.ts';
import { createNoticedOutages } from '../../queue/noticed-outages.ts';
import type { FailedJob, Job } from '../../queue/work-queue.ts';
import { notRunnable } from '../../run/conduct/begin-trial.ts';
import { conductRun, type PerformedRun } from '../../run/conduct/conduct-run.ts';
import { killedAttempt, markKilled } from '../../run/conduct/killed-process.ts';
import type { ConductedRun, RunOutcome } from '../../run/conduct/run-request.ts';
import { addFinished, missingTrials, type ScenarioState, storedStates } from '../../run/conduct/scenario-state.ts';
import { addCosts, JOB_FAILED, noEarlierTrials } from '../../run/record/earlier-trials.ts';
import { trialKey } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { StoredTrial } from '../../run/record/run-record.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import { type RunWork, readBaseline } from './run-work.ts';
import { groupOf, jobOfTrial, readTrialJob } from './trial-job.ts';
import type { CoordinatorRequest } from './work-kind.ts';

type Request = CoordinatorRequest<RunWork>;

/** Adds the missing trials as jobs, follows their results, ends the run, and returns its verdict. */
export async function coordinateRun(request: Request): Promise<RunOutcome> {
  const outages = createNoticedOutages();
  const plan: ConductedRun = { ...(await planOf(request)), outageOf: outages.outageOf };
  return await conductRun(plan, async ({ states, spentUsd }, signals) => {
    if (request.wasAttemptLost()) await markKilled(states, plan);
    const work: CoordinatedWork<StoredTrial, PerformedRun> = {
      outages,
      earlier: { spentUsd },
      jobs: () => jobsOf(states, request.labels),
      changed: (cursor) => request.workerAccess.changedTrials(plan.run.run_id, cursor),
      count: (trial) => countTrial(trial, states, plan),
      pointless: () => states.flatMap((state, scenario) => pointlessGroups(state, scenario)),
      onFailed: (failed) => storeFailed(failed, states, request),
      onEvent: request.onEvent,
      ended: async (said) => ({ ...said, states: await countedStates(plan, states, request) }),
    };
    return await coordinate(request, work, signals);
  });
}

async function planOf(request: Request): Promise<Omit<ConductedRun, 'outageOf'>> {
  const { record: run, settings, labels, store, stop, abort, onEvent } = request;
  const judges = settings.judges.map(({ judge_hash, is_script, facts }) => ({
    ...{ judgeHash: judge_hash, isScript: is_script, facts },
  }));
  const against = await readBaseline(request);
  return {
    ...{ run, recorder: store, judge: settings.judge, stop, abort, onEvent },
    resumed: (await store.getRun(run.run_id)) !== null,
    scenarios: run.scenarios
      .slice(0, labels.length)
      .map(({ scenario, file, adapter, model }) => ({ scenario, relativeFile: file, adapterName: adapter, model })),
    calibrationOf: calibrationLookup(judgesOf(store), judges, run.options.drift_checks),
    watch: await against?.watch(store, run),
    judgeSummaries: against && ((own: ScenarioSummary[]) => against.judge(store, run.run_id, own)),
    earlyStop: run.options.early_stop,
  };
}

/** Counts what is stored when no job is left. */
async function countedStates(
  plan: ConductedRun,
  states: readonly ScenarioState[],
  { isTakenOver }: Request,
): Promise<ScenarioState[]> {
  const counted = await storedStates(plan, (scenario, key) => !isTakenOver && wasLeft(states[scenario], key));
  for (const [index, { ended }] of states.entries()) {
    const state = counted[index];
    if (state) state.ended ??= ended;
  }
  return counted;
}

function* jobsOf(states: readonly ScenarioState[], labels: Request['labels']): Generator<Job> {
  for (const trial of missingTrials(states)) {
    const key = trialKey(trial.caseIndex, trial.trialNumber);
    const { traces, unanswered, repeatedCosts } = states[trial.scenario]?.earlier ?? noEarlierTrials();
    const isRecorded = traces.has(key);
    const isNew = !isRecorded && !unanswered.has(key) && !repeatedCosts.has(key);
    yield jobOfTrial(trial, { isRecorded, isNew, labels: labels[trial.scenario] ?? [] });
  }
}

/** Counts what a worker has stored, so that an early end is noticed and progress can be shown. */
function countTrial(
  { scenario_index: scenario, case_index, trial_number, result }: StoredTrial,
  states: readonly ScenarioState[],
  plan: ConductedRun,
): void {
  const state = states[scenario];
  const key = trialKey(case_index, trial_number);
  if (!state || !result || state.earlier.done.has(key)) return;
  state.earlier.done.add(key);
  addFinished(state, result, plan);
  plan.onEvent?.({ type: 'trial_finished', scenario, result });
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
  states: readonly ScenarioState[],
  { record: run, store }: Request,
): Promise<void> {
  const place = readTrialJob(job);
  const stored = await store.getTrial(run.run_id, place);
  if (stored?.result) return;
  const trial = {
    run_id: run.run_id,
    scenario_index: place.scenario,
    case_index: place.case,
    case: states[place.scenario]?.cases.find(({ index }) => index === place.case)?.name ?? null,
    trial_number: place.trial,
  };
  const trace_id = stored?.trace_id ?? null;
  const trace = trace_id === null ? null : await store.getTrace(trace_id);
  const problem = new SalvoError(JOB_FAILED, `given up after ${attempts} attempts: ${reason}`);
  const result = { ...notRunnable(problem, trial), ...(trace && agentCostFields(agentCost(trace))), trace_id };
  const cost = addCosts(stored?.earlier_cost ?? null, killedAttempt({ isRecorded: trace !== null }));
  await store.saveTrial({ ...trial, trace_id, result, earlier_cost: cost });
}

import type { EvaluationContext } from '../evaluators/evaluator.ts';
import { hasMinScore } from '../evaluators/score-stakes.ts';
import type { TrialStatus } from '../evaluators/trial-status.ts';
import type { CalibrationOf } from '../judge/calibration/judges-in-use.ts';
import { type Budget, createBudget } from '../models/budget.ts';
import { votesOfRun } from '../models/vote-cache.ts';
import { type Lease, orLost } from '../queue/lease.ts';
import { runPool } from '../queue/run-pool.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Trace } from '../trace/trace.ts';
import { evaluateTrial } from '../trial/evaluate-trial.ts';
import { type PreparedScenario, runTrial, type TrialServices } from '../trial/run-trial.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { addCosts, type EarlierTrials, noEarlierTrials, readEarlierTrials } from './earlier-trials.ts';
import { isVerdictCertain } from './early-stop.ts';
import { type Gates, scenarioGates } from './gates.ts';
import { withCalibrations } from './judge-calibrations.ts';
import { unusedVotesCost } from './paid-votes.ts';
import type { ScenarioSummary, Verdict } from './run-document.ts';
import type { RunRecord, RunRecorder, TrialCost } from './run-record.ts';
import { type ScenarioOutage, scenarioOutage } from './scenario-outage.ts';
import { createScenarioTally, type ScenarioTally } from './tally/scenario-tally.ts';
import { runVerdict } from './verdict.ts';

export type RunEvent =
  /**
   * If the run is resumed: `earlierTrials` need nothing more, `repeated` had an agent that did not finish, and run again, and of
   * `judgedAgain` the stored conversations are judged.
   */
  | { type: 'run_started'; earlierTrials: number; repeated: number; judgedAgain: number }
  | { type: 'trial_started'; scenario: number; trialNumber: number }
  /** The agent has finished or was stopped. Its result follows unless it was interrupted. */
  | { type: 'trial_ended'; scenario: number; trialNumber: number }
  | { type: 'trial_finished'; scenario: number; result: TrialResult }
  | { type: 'retry' };

export interface RunRequest {
  run: RunRecord;
  /** Whether the run is stored already, with trials. */
  resumed: boolean;
  prepared: PreparedScenario[];
  project: Project;
  recorder: RunRecorder;
  services: Omit<TrialServices, 'seed' | 'onRetry' | 'stop'>;
  judgeServices?: Pick<EvaluationContext, 'models' | 'voteCache'> | undefined;
  /** Called when the run ends, for every judge that was asked. */
  calibrationOf?: CalibrationOf | undefined;
  concurrency: number;
  budgetUsd: number | null;
  earlyStop?: boolean | undefined;
  /** Aborted: no further trial starts, and those under way are finished. */
  stop?: AbortSignal | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
}

export interface RunOutcome {
  runId: string;
  verdict: Verdict;
  /** As `salvo run` would exit: 0 pass, 1 fail, 2 a required assertion failed, 3 could not be scored. */
  exitCode: number;
  scenarios: { summary: ScenarioSummary; statuses: TrialStatus[] }[];
  budgetRefusal: string | null;
  /** How many trials were stored before. */
  earlierTrials: number;
}

interface Job {
  scenario: number;
  trialNumber: number;
}

interface ScenarioState {
  prepared: PreparedScenario;
  tally: ScenarioTally;
  gates: Gates;
  statuses: TrialStatus[];
  /** What the trials cost whose trace is stored, but that have no result, by trial number. */
  notJudged: Map<number, TrialCost>;
  earlier: EarlierTrials;
  /** Whether later trials can no longer change the verdict, so that none is started. */
  isCertain: boolean;
  outage: ScenarioOutage;
}

/** Runs the missing trials of every scenario, stores each as it finishes, and returns the verdict. */
export async function runScenarios(request: RunRequest): Promise<RunOutcome> {
  // Before its trials are read: until it is claimed, another process may add trials.
  await using lease = await request.recorder.claim({ kind: 'run', id: request.run.run_id });
  return await runClaimed(untilLost(request, lease), lease);
}

/** The request, stopped and given up as soon as another process has the lease. */
function untilLost(request: RunRequest, lease: Lease): RunRequest {
  const { stop, services, judgeServices, run } = request;
  const voteCache = judgeServices?.voteCache && votesOfRun(judgeServices.voteCache, run.run_id);
  return {
    ...request,
    stop: orLost(stop, lease),
    services: { ...services, abort: orLost(services.abort, lease) },
    judgeServices: judgeServices && { ...judgeServices, voteCache },
  };
}

async function runClaimed(request: RunRequest, lease: Lease): Promise<RunOutcome> {
  const { run, recorder } = request;
  const states = await openStates(request);
  const spent = states.reduce((sum, { earlier }) => sum + earlier.costUsd, 0);
  const budget = createBudget(request.budgetUsd, { spentUsd: spent });
  if (request.resumed) {
    await recorder.updateRun(run.run_id, {
      status: 'running',
      options: run.options,
      finished_at: null,
      verdict: null,
      exit_code: null,
    });
  } else {
    await recorder.createRun(run);
  }
  request.onEvent?.({
    type: 'run_started',
    earlierTrials: earlierTrials(states),
    repeated: states.reduce((sum, { earlier }) => sum + earlier.unanswered.size, 0),
    judgedAgain: states.reduce((sum, { earlier }) => sum + earlier.traces.size, 0),
  });
  await runPool({
    jobs: missingTrials(states, run.options.trials),
    concurrency: request.concurrency,
    stop: request.stop,
    perform: (job) => performJob(job, { request, states, budget }),
  });
  lease.lost.throwIfAborted();
  return finishRun({ request, states, budget });
}

async function openStates(request: RunRequest): Promise<ScenarioState[]> {
  const { run, prepared, recorder, resumed } = request;
  const states = prepared.map((scenario, index): ScenarioState => {
    const { name, threshold } = scenario.scenario;
    // Of the record, not of the files: salvo.yaml may have changed since a resumed run began.
    const gates = scenarioGates(run.options, run.scenarios[index]?.scenario ?? scenario.scenario);
    const tally = createScenarioTally({
      ...gates,
      name,
      file: scenario.relativeFile,
      model: scenario.model,
      adapter: scenario.adapterName,
      threshold,
      trialsPlanned: run.options.trials,
    });
    return {
      prepared: scenario,
      gates,
      tally,
      statuses: [],
      notJudged: new Map(),
      earlier: noEarlierTrials(),
      isCertain: false,
      outage: scenarioOutage({
        prepared: scenario,
        judge: request.project.config.judge,
        recordOnly: run.options.record_only,
        outageOf: request.services.outageOf,
      }),
    };
  });
  if (resumed) {
    await readEarlierTrials({
      runId: run.run_id,
      recorder,
      of: (index) => states[index]?.earlier,
      add: (index, result) => {
        const state = states[index];
        if (state) addResult(state, result, request);
      },
    });
    for (const { earlier, notJudged } of states) {
      for (const [trialNumber, { cost }] of earlier.traces) notJudged.set(trialNumber, cost);
    }
  }
  return states;
}

/** Scenarios take turns, so that a run that is stopped early has trials of each. */
function* missingTrials(states: ScenarioState[], trials: number): Generator<Job> {
  for (let trialNumber = 1; trialNumber <= trials; trialNumber += 1) {
    for (const [scenario, state] of states.entries()) {
      if (state.earlier.done.has(trialNumber)) continue;
      // Checked when the job is taken, because the verdict may have become certain meanwhile.
      if (state.isCertain) continue;
      if (state.outage({ isRecorded: state.earlier.traces.has(trialNumber) })) continue;
      yield { scenario, trialNumber };
    }
  }
}

async function performJob(
  job: Job,
  { request, states, budget }: { request: RunRequest; states: ScenarioState[]; budget: Budget },
): Promise<void> {
  const { recorder, run, services } = request;
  const state = states[job.scenario];
  if (!state) return;
  const { scenario, file } = state.prepared;
  const trial = { run_id: run.run_id, scenario_index: job.scenario, trial_number: job.trialNumber };
  const seed = run.options.seed ?? scenario.seed ?? 0;
  const earlier = state.earlier.traces.get(job.trialNumber);
  const earlierCost = state.earlier.repeatedCosts.get(job.trialNumber) ?? null;
  let traceId = earlier?.traceId ?? null;
  let trace = traceId === null ? null : await recorder.getTrace(traceId);
  const reservation = await budget.reserve(job.scenario);
  // While this job waited for the budget, the verdict may have become certain or the user may have stopped the run.
  const isPointless = state.isCertain || state.outage({ isRecorded: trace !== null }) !== null;
  if (!reservation || isPointless || request.stop?.aborted) return reservation?.release(null);
  try {
    if (trace === null) {
      request.onEvent?.({ type: 'trial_started', scenario: job.scenario, trialNumber: job.trialNumber });
      trace = await runTrial({
        prepared: state.prepared,
        runId: run.run_id,
        trialNumber: job.trialNumber,
        budget: reservation,
        services: { ...services, stop: request.stop, seed, onRetry: () => request.onEvent?.({ type: 'retry' }) },
      }).finally(() => {
        request.onEvent?.({ type: 'trial_ended', scenario: job.scenario, trialNumber: job.trialNumber });
      });
      // It counts as never run, so that a resumed run repeats it. What it cost stays on the bill.
      if (trace.finish_reason === 'interrupted' || wasNeverSent(trace)) {
        if (trace.cost_usd === 0) return;
        const cost = addCosts(earlierCost, { cost_usd: trace.cost_usd, judge_cost_usd: 0 });
        state.earlier.repeatedCosts.set(job.trialNumber, cost);
        await recorder.saveTrial({ ...trial, trace_id: null, result: null, earlier_cost: cost });
        return;
      }
      // A paid trace is never lost: it is stored before anything else can fail.
      traceId = await recorder.saveTrace(trace, { ...trial, earlier_cost: earlierCost });
      state.notJudged.set(job.trialNumber, { cost_usd: trace.cost_usd, judge_cost_usd: 0 });
    }
    const result = await evaluateTrial({
      trace,
      traceId,
      recordOnly: run.options.record_only,
      context: {
        ...request.judgeServices,
        budget: reservation,
        scenario,
        scenarioFile: file,
        project: request.project,
        exactScore: hasMinScore(run.options, scenario, request.project.config),
        trialNumber: job.trialNumber,
        seed,
        signal: services.abort,
      },
    });
    const unused = unusedVotesCost(earlier?.unscored ?? null, { judgement: result });
    const cost = unused === 0 ? earlierCost : addCosts(earlierCost, { cost_usd: 0, judge_cost_usd: unused });
    // A judge that was interrupted says nothing about the trial: a resumed run judges the stored trace.
    if ((services.abort?.aborted || (reservation.wasRefused && trace.error === null)) && result.status === 'unscored') {
      const { cost_usd, judge_cost_usd } = result;
      state.notJudged.set(job.trialNumber, { cost_usd, judge_cost_usd });
      const lost = unusedVotesCost(result, { hasCache: Boolean(request.judgeServices?.voteCache) });
      if (lost !== 0) {
        const paid = addCosts(cost, { cost_usd: 0, judge_cost_usd: lost });
        await recorder.saveTrial({ ...trial, trace_id: traceId, result: null, earlier_cost: paid });
      }
      return;
    }
    const stored = await recorder.saveTrial({ ...trial, trace_id: traceId, result, earlier_cost: cost });
    if (cost) state.earlier.repeatedCosts.set(job.trialNumber, cost);
    addResult(state, result, request);
    // Without secrets: whoever listens may print it.
    request.onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
  } finally {
    reservation.release();
  }
}

/** Whether the budget ended the trial before its first request was sent. */
function wasNeverSent({ finish_reason, turn_count, cost_usd }: Trace): boolean {
  return finish_reason === 'budget' && turn_count === 0 && cost_usd === 0;
}

function addResult(state: ScenarioState, result: TrialResult, request: RunRequest): void {
  const { options } = request.run;
  state.tally.add(result);
  state.notJudged.delete(result.trial_number);
  state.statuses[result.trial_number - 1] = result.status;
  if (!request.earlyStop || options.record_only) return;
  const { assertions } = state.prepared.scenario;
  state.isCertain ||= isVerdictCertain(state.tally.counts(), { ...state.gates, assertions }, options);
}

async function finishRun({
  request,
  states,
  budget,
}: {
  request: RunRequest;
  states: ScenarioState[];
  budget: Budget;
}): Promise<RunOutcome> {
  const { run, recorder } = request;
  const scenarios = await Promise.all(
    states.map(async ({ tally, statuses, notJudged, earlier, isCertain, outage }) => {
      const missing = tally.counts().total < run.options.trials;
      const proof = outage({ isRecorded: false });
      const stopped = isCertain ? 'early_stop' : proof ? 'provider' : budget.refusal ? 'budget' : 'interrupted';
      const summary = tally.summary({
        stopped: missing ? stopped : null,
        stopError: missing && stopped === 'provider' ? proof : null,
        notJudged: [...notJudged.values()],
        earlierCosts: [...earlier.repeatedCosts.values()],
        allowUnscored: run.options.allow_unscored,
        recordOnly: run.options.record_only,
      });
      return { summary: await withCalibrations(summary, request.calibrationOf), statuses };
    }),
  );
  const summaries = scenarios.map(({ summary }) => summary);
  const { verdict, exit_code } = runVerdict(summaries.map((summary) => summary.verdict));
  const interrupted = summaries.some(({ stopped }) => stopped === 'interrupted');
  await recorder.updateRun(run.run_id, {
    status: interrupted ? 'interrupted' : 'finished',
    finished_at: new Date().toISOString(),
    verdict,
    exit_code,
    summaries,
  });
  return {
    runId: run.run_id,
    verdict,
    exitCode: exit_code,
    scenarios,
    budgetRefusal: budget.refusal,
    earlierTrials: earlierTrials(states),
  };
}

function earlierTrials(states: ScenarioState[]): number {
  return states.reduce((sum, { earlier }) => sum + earlier.done.size, 0);
}

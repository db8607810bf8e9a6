import { needsExactScores } from '../evaluators/score-stakes.ts';
import type { Budget } from '../models/budget.ts';
import type { Trace } from '../trace/trace.ts';
import { evaluateTrial } from '../trial/evaluate-trial.ts';
import { runTrial } from '../trial/run-trial.ts';
import { beginTrial, notRunnable, type TrialJob } from './begin-trial.ts';
import { addCosts } from './earlier-trials.ts';
import { unusedVotesCost } from './paid-votes.ts';
import { trialKey } from './planned-cases.ts';
import type { RunHooks, StartedTrial } from './run-hooks.ts';
import type { RunRequest } from './run-request.ts';
import { addResult, type ScenarioState } from './scenario-state.ts';

/** Runs one trial, or judges its stored trace, and stores the result. */
export async function performTrial(
  job: TrialJob,
  options: { request: RunRequest; states: ScenarioState[]; budget: Budget; hooks: RunHooks },
): Promise<void> {
  const { request, states, budget, hooks } = options;
  const { recorder, run, services } = request;
  const state = states[job.scenario];
  if (!state) return;
  const trial = {
    run_id: run.run_id,
    scenario_index: job.scenario,
    case_index: job.caseIndex,
    case: job.caseName,
    trial_number: job.trialNumber,
  };
  const key = trialKey(job.caseIndex, job.trialNumber);
  const earlier = state.earlier.traces.get(key);
  const earlierCost = state.earlier.repeatedCosts.get(key) ?? null;
  let traceId = earlier?.traceId ?? null;
  let trace = traceId === null ? null : await recorder.getTrace(traceId);
  const reservation = await budget.reserve(job.scenario);
  // While this job waited for the budget, the verdict may have become certain or the user may have stopped the run.
  const isPointless = state.isCertain || state.outage({ isRecorded: trace !== null }) !== null;
  if (!reservation || isPointless || request.stop?.aborted) return reservation?.release(null);
  let started: StartedTrial | null = null;
  try {
    const begun = await beginTrial(job, { prepared: state.prepared, hooks, isRecorded: trace !== null });
    if (begun === 'interrupted') return;
    if ('problem' in begun) {
      const result = notRunnable(begun.problem, trial);
      const stored = await recorder.saveTrial({ ...trial, trace_id: null, result, earlier_cost: earlierCost });
      addResult(state, result, request);
      request.onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
      return;
    }
    const { prepared } = begun;
    const { scenario, file } = prepared;
    started = begun.started;
    const seed = run.options.seed ?? scenario.seed ?? 0;
    if (trace === null) {
      if (started === null || request.stop?.aborted) return;
      request.onEvent?.({ type: 'trial_started', scenario: job.scenario, trialNumber: job.trialNumber });
      trace = await runTrial({
        prepared,
        runId: run.run_id,
        caseName: job.caseName,
        trialNumber: job.trialNumber,
        context: started.context,
        budget: reservation,
        services: { ...services, stop: request.stop, seed, onRetry: () => request.onEvent?.({ type: 'retry' }) },
      }).finally(() => {
        request.onEvent?.({ type: 'trial_ended', scenario: job.scenario, trialNumber: job.trialNumber });
      });
      // It counts as never run, so that a resumed run repeats it. What it cost stays on the bill.
      if (trace.finish_reason === 'interrupted' || wasNeverSent(trace)) {
        if (trace.cost_usd === 0) return;
        const cost = addCosts(earlierCost, { cost_usd: trace.cost_usd, judge_cost_usd: 0 });
        state.earlier.repeatedCosts.set(key, cost);
        await recorder.saveTrial({ ...trial, trace_id: null, result: null, earlier_cost: cost });
        return;
      }
      // A paid trace is never lost: it is stored before anything else can fail.
      traceId = await recorder.saveTrace(trace, { ...trial, earlier_cost: earlierCost });
      state.notJudged.set(key, { cost_usd: trace.cost_usd, judge_cost_usd: 0 });
    }
    const result = await evaluateTrial({
      trace,
      traceId,
      recordOnly: run.options.record_only,
      ofCase: { index: job.caseIndex, name: job.caseName },
      context: {
        ...request.judgeServices,
        budget: reservation,
        scenario,
        scenarioFile: file,
        project: request.project,
        exactScore: needsExactScores(run.options, scenario, request.project.config.defaults),
        trialNumber: job.trialNumber,
        seed,
        signal: services.abort,
        checks: prepared.functions?.checks,
        trialContext: started?.context ?? { ...begun.context, runId: run.run_id },
      },
    });
    const unused = unusedVotesCost(earlier?.unscored ?? null, { judgement: result });
    const cost = unused === 0 ? earlierCost : addCosts(earlierCost, { cost_usd: 0, judge_cost_usd: unused });
    // A judge that was interrupted says nothing about the trial: a resumed run judges the stored trace.
    if ((services.abort?.aborted || (reservation.wasRefused && trace.error === null)) && result.status === 'unscored') {
      const { cost_usd, judge_cost_usd } = result;
      state.notJudged.set(key, { cost_usd, judge_cost_usd });
      const lost = unusedVotesCost(result, { hasCache: Boolean(request.judgeServices?.voteCache) });
      if (lost !== 0) {
        const paid = addCosts(cost, { cost_usd: 0, judge_cost_usd: lost });
        await recorder.saveTrial({ ...trial, trace_id: traceId, result: null, earlier_cost: paid });
      }
      return;
    }
    const stored = await recorder.saveTrial({ ...trial, trace_id: traceId, result, earlier_cost: cost });
    if (cost) state.earlier.repeatedCosts.set(key, cost);
    addResult(state, result, request);
    // Without secrets: whoever listens may print it.
    request.onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
  } finally {
    await started?.end();
    reservation.release();
  }
}

/** Whether the budget ended the trial before its first request was sent. */
function wasNeverSent({ finish_reason, turn_count, cost_usd }: Trace): boolean {
  return finish_reason === 'budget' && turn_count === 0 && cost_usd === 0;
}

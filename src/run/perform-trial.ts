import { hasMinScore } from '../evaluators/score-stakes.ts';
import type { Budget } from '../models/budget.ts';
import type { Trace } from '../trace/trace.ts';
import { evaluateTrial } from '../trial/evaluate-trial.ts';
import { runTrial } from '../trial/run-trial.ts';
import { addCosts } from './earlier-trials.ts';
import { unusedVotesCost } from './paid-votes.ts';
import type { RunRequest } from './run-request.ts';
import { addResult, type ScenarioState } from './scenario-state.ts';

export interface TrialJob {
  scenario: number;
  trialNumber: number;
}

/** Runs one trial, or judges its stored trace, and stores the result. */
export async function performTrial(
  job: TrialJob,
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

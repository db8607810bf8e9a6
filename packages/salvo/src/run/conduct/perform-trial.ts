import { isEvaluatedAtOnce } from '../../evaluators/evaluate-trace.ts';
import { needsExactScores } from '../../evaluators/score-stakes.ts';
import type { Budget } from '../../models/budget/budget.ts';
import { agentCost, judgeCost } from '../../trace/cost-fields.ts';
import type { Trace } from '../../trace/trace.ts';
import { evaluateTrial } from '../../trial/evaluate-trial.ts';
import { type PreparedScenario, runTrial } from '../../trial/run-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { addCosts, type EarlierTrace, trialCost } from '../record/earlier-trials.ts';
import type { TrialCost } from '../record/run-record.ts';
import { beginTrial, notRunnable, type TrialJob } from './begin-trial.ts';
import { unusedVotesCost } from './paid-votes.ts';
import type { RunHooks, StartedTrial } from './run-hooks.ts';
import type { TrialRequest } from './run-request.ts';

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
export async function performTrial(
  job: TrialJob,
  options: { request: TrialRequest; place: TrialPlace; budget: Budget; hooks: RunHooks },
): Promise<boolean> {
  const { request, place, budget, hooks } = options;
  const { recorder, run, services } = request;
  const { earlierTrace: earlier, earlierCost } = place;
  const trial = {
    run_id: run.run_id,
    scenario_index: job.scenario,
    case_index: job.caseIndex,
    case: job.caseName,
    trial_number: job.trialNumber,
  };
  const saveTrace = (of: Trace): Promise<string> => recorder.saveTrace(of, { ...trial, earlier_cost: earlierCost });
  let traceId = earlier?.traceId ?? null;
  let trace = traceId === null ? null : await recorder.getTrace(traceId);
  const reservation = await budget.reserve(job.scenario, request.stop);
  // While this job waited for the budget, the verdict may have become certain or the user may have stopped the run.
  if (!reservation || place.isPointless({ isRecorded: trace !== null }) || request.stop?.aborted) {
    reservation?.release(null);
    return false;
  }
  let started: StartedTrial | null = null;
  try {
    const begun = await beginTrial(job, { prepared: place.prepared, hooks, isRecorded: trace !== null });
    if (begun === 'interrupted') return false;
    if ('problem' in begun) {
      const result = notRunnable(begun.problem, trial);
      const stored = await recorder.saveTrial({ ...trial, trace_id: null, result, earlier_cost: earlierCost });
      place.countResult(result);
      request.onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
      return true;
    }
    const { prepared } = begun;
    const { scenario, file } = prepared;
    started = begun.started;
    const seed = run.options.seed ?? scenario.seed ?? 0;
    if (trace === null) {
      if (started === null || request.stop?.aborted) return false;
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
        if (trace.cost_usd === 0) return false;
        const cost = addCosts(earlierCost, trialCost({ agent: agentCost(trace) }));
        place.countEarlierCost(cost);
        await recorder.saveTrial({ ...trial, trace_id: null, result: null, earlier_cost: cost });
        return false;
      }
      // A paid trace is never lost: it is stored before anything else can fail.
      if (!recorder.saveFinished || !isEvaluatedAtOnce(scenario, trace)) traceId = await saveTrace(trace);
      place.countNotJudged(trialCost({ agent: agentCost(trace) }));
    }
    const finished = trace;
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
    }).catch(async (error: unknown) => {
      traceId ??= await saveTrace(finished);
      throw error;
    });
    const unused = unusedVotesCost(earlier?.unscored ?? null, { judgement: result });
    const cost = unused.usd === 0 ? earlierCost : addCosts(earlierCost, trialCost({ judges: unused }));
    // A judge that was interrupted says nothing about the trial: a resumed run judges the stored trace.
    if ((services.abort?.aborted || (reservation.wasRefused && trace.error === null)) && result.status === 'unscored') {
      place.countNotJudged(trialCost({ agent: agentCost(result), judges: judgeCost(result) }));
      const lost = unusedVotesCost(result, { hasCache: Boolean(request.judgeServices?.voteCache) });
      traceId ??= await saveTrace(trace);
      if (lost.usd !== 0) {
        const paid = addCosts(cost, trialCost({ judges: lost }));
        await recorder.saveTrial({ ...trial, trace_id: traceId, result: null, earlier_cost: paid });
      }
      return false;
    }
    const done = { ...trial, result, earlier_cost: cost };
    const stored =
      traceId === null && recorder.saveFinished
        ? await recorder.saveFinished(trace, done)
        : await recorder.saveTrial({ ...done, trace_id: traceId });
    if (cost) place.countEarlierCost(cost);
    place.countResult(result);
    // Without secrets: a listener may print it.
    request.onEvent?.({ type: 'trial_finished', scenario: job.scenario, result: stored.result ?? result });
    return true;
  } finally {
    await started?.end();
    reservation.release();
  }
}

/** Whether the budget ended the trial before its first request was sent. */
function wasNeverSent({ finish_reason, turn_count, cost_usd }: Trace): boolean {
  return finish_reason === 'budget' && turn_count === 0 && cost_usd === 0;
}

import { type Cost, costSince, knownUsd, NO_COST, sumCosts } from '../../stats/cost.ts';
import {
  agentCost,
  agentCostFields,
  judgeCost,
  judgeCostFields,
  userCost,
  userCostFields,
  userCostOfTrace,
} from '../../trace/cost-fields.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { trialKey } from './planned-cases.ts';
import type { RunRecorder, StoredTrial, TrialCost } from './run-record.ts';

export interface EarlierTrace {
  traceId: string;
  /** What it has cost so far. */
  cost: TrialCost;
  /** If a judge could not be understood, say; null when nothing was judged yet. */
  unscored: TrialResult | null;
}

/** The trials that an interrupted run already has of one scenario, by their keys: see `trialKey`. */
export function noEarlierTrials() {
  return {
    /** Those that need nothing more. */
    done: new Set<number>(),
    /** Stored traces that can still be evaluated. */
    traces: new Map<number, EarlierTrace>(),
    /** Those whose agent got no answer: it is called again. */
    unanswered: new Set<number>(),
    /** What attempts cost that were repeated or have to be. */
    repeatedCosts: new Map<number, TrialCost>(),
    /** The known cost of everything, attempts that have to be repeated included. */
    costUsd: 0,
  };
}

/** Sorts the stored trials of a run into what is done, what only needs evaluating, and what has to be repeated. */
export async function readEarlierTrials(options: {
  runId: string;
  recorder: Pick<RunRecorder, 'trials' | 'getTrace'>;
  of: (scenario: number) => ReturnType<typeof noEarlierTrials> | undefined;
  add: (scenario: number, result: TrialResult) => void;
}): Promise<void> {
  for await (const trial of options.recorder.trials(options.runId)) {
    const { scenario_index, earlier_cost } = trial;
    const key = trialKey(trial.case_index, trial.trial_number);
    const earlier = options.of(scenario_index);
    if (!earlier) continue;
    if (earlier_cost) earlier.repeatedCosts.set(key, earlier_cost);
    const missing = await whatIsMissing(trial, options.recorder);
    const paid = addCosts(earlier_cost, missing.cost);
    earlier.costUsd += [agentCost, judgeCost, userCost].reduce((sum, costOf) => sum + knownUsd(costOf(paid)), 0);
    if (missing.what === 'nothing') {
      earlier.done.add(key);
      options.add(scenario_index, missing.result);
    } else if (missing.what === 'judgement') {
      earlier.traces.set(key, missing.trace);
    } else {
      if (missing.wasBegun) earlier.unanswered.add(key);
      earlier.repeatedCosts.set(key, addCosts(earlier_cost, missing.cost));
    }
  }
}

/** The code of a trial that workers gave up. */
export const JOB_FAILED = 'JOB_FAILED';

/** What a stored trial lacks. `cost` is that of its trace and its result. */
type MissingPart = { cost: TrialCost } & (
  | { what: 'nothing'; result: TrialResult }
  | { what: 'judgement'; trace: EarlierTrace }
  /** `wasBegun`: the agent was called, but did not finish. */
  | { what: 'everything'; wasBegun: boolean }
);

export async function whatIsMissing(
  { trace_id, result }: Pick<StoredTrial, 'trace_id' | 'result'>,
  recorder: Pick<RunRecorder, 'getTrace'>,
): Promise<MissingPart> {
  if (result && result.status !== 'unscored') return { what: 'nothing', result, cost: result };
  const trace = trace_id === null ? null : await recorder.getTrace(trace_id);
  const cost = { ...traceCost(trace), ...judgeCostFields(result ? judgeCost(result) : NO_COST) };
  // A trace without its texts cannot be evaluated.
  const isJudgeable = trace !== null && !isMetadataOnly(trace);
  const wasNotJudged =
    result === null ||
    result.error_code === JOB_FAILED ||
    result.eval_results.some(({ status }) => status === 'unscored');
  if (trace === null || gotNoAnswer(trace)) {
    return { what: 'everything', wasBegun: trace !== null || result !== null, cost };
  }
  // The agent finished, but an assertion was unscored: only evaluate again.
  if (wasNotJudged && isJudgeable && trace_id !== null) {
    return { what: 'judgement', trace: { traceId: trace_id, cost, unscored: result }, cost };
  }
  return result ? { what: 'nothing', result, cost } : { what: 'everything', wasBegun: true, cost };
}

/** In an outage, when the time was up, or when the budget was: the agent has to be called again. */
function gotNoAnswer({ error, error_code, finish_reason }: Trace): boolean {
  if (finish_reason === 'budget') return true;
  return error !== null && error_code !== 'AGENT_CRASHED' && finish_reason !== 'unmocked_call';
}

/** Without an agent or judges, nothing was paid for them. */
export function trialCost({ agent, judges }: { agent?: Cost | null; judges?: Cost | null }): TrialCost {
  return { ...agentCostFields(agent ?? NO_COST), ...judgeCostFields(judges ?? NO_COST) };
}

/** What a trace cost, without its judges. */
export function traceCost(trace: Trace | null): TrialCost {
  if (trace === null) return trialCost({});
  return { ...trialCost({ agent: agentCost(trace) }), ...userCostFields(userCostOfTrace(trace)) };
}

/** What was added to `before` so that it became `now`. */
export function trialCostSince(before: TrialCost | null, now: TrialCost): TrialCost {
  if (before === null) return now;
  return {
    ...agentCostFields(costSince(agentCost(before), agentCost(now))),
    ...judgeCostFields(costSince(judgeCost(before), judgeCost(now))),
    ...userCostFields(costSince(userCost(before), userCost(now))),
  };
}

export function addCosts(a: TrialCost | null, b: TrialCost): TrialCost {
  if (a === null) return b;
  return {
    ...agentCostFields(sumCosts([agentCost(a), agentCost(b)])),
    ...judgeCostFields(sumCosts([judgeCost(a), judgeCost(b)])),
    ...userCostFields(sumCosts([userCost(a), userCost(b)])),
  };
}

import { type Cost, createCostSum, NO_COST, sumCosts } from '../../stats/cost.ts';
import { createExactSum } from '../../stats/exact-sum.ts';
import { mean } from '../../stats/mean.ts';
import { quantile } from '../../stats/quantile.ts';
import { agentCost, judgeCost, judgeCostFields } from '../../trace/cost-fields.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { countedCases, type PlannedCase, plannedTrials } from '../record/planned-cases.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import type { TrialCost } from '../record/run-record.ts';
import type { Gates } from '../verdict/gates.ts';
import { scenarioVerdict, type TrialCounts, type VerdictPolicy } from '../verdict/verdict.ts';
import { createCaseTally, quarantineSummary } from './case-tally.ts';
import { createErrorTally } from './error-tally.ts';
import { createFailureTally } from './failure-tally.ts';
import { createGateTally } from './gate-tally.ts';
import { createIdenticalAnswers } from './identical-answers.ts';
import { createJudgeTally } from './judge-tally.ts';
import { trialNames } from './trial-list.ts';

export interface ScenarioTally {
  add(trial: TrialResult): void;
  counts(): TrialCounts;
  summary(options: VerdictPolicy & SummaryOptions): ScenarioSummary;
}

interface SummaryOptions {
  stopped: ScenarioSummary['stopped'];
  /** Why no further trial could have been scored. */
  stopError?: { message: string; code: string } | null | undefined;
  /** Trials whose agent ran, but that have no result. */
  notJudged?: readonly TrialCost[] | undefined;
  /** What attempts cost that were repeated, or have to be. */
  earlierCosts?: readonly TrialCost[] | undefined;
}

/**
 * Adds up the trials of a scenario as they finish. It keeps a few numbers of each and not its results, so memory stays
 * flat over ten thousand trials. The summary is bit-identical for every order of the trials.
 */
export function createScenarioTally(
  scenario: Pick<ScenarioSummary, 'name' | 'file' | 'model' | 'adapter'> & {
    threshold?: number | undefined;
    gates: Gates;
    cases: readonly PlannedCase[];
    /** When the run began: a quarantine holds if it was not over then. */
    startedAt: string;
  },
): ScenarioTally {
  const { cases, gates, startedAt, threshold = null, ...identity } = scenario;
  const { counted, isQuarantined } = countedCases(cases, startedAt);
  const decisive = new Set(counted.map(({ index }) => index));
  const trialsPlanned = plannedTrials(counted);
  const named = trialNames(cases);
  const byStatus = { passed: 0, failed: 0, hard_fail: 0, crashed: 0, unscored: 0 };
  const scores: number[] = [];
  const latencies: (number | null)[] = [];
  const scoreSum = createExactSum();
  const agents = createCostSum();
  const ofJudges = createCostSum();
  const failures = createFailureTally(named);
  const judges = createJudgeTally({ hasCases: cases.length > 1 });
  const errors = createErrorTally(named);
  const crashes = createErrorTally(named);
  const byCase = createCaseTally(cases, startedAt);
  const byGate = createGateTally(gates);
  const answers = createIdenticalAnswers();
  const answeredBy = new Set<string>();
  let recorded = 0;
  let quarantined = 0;
  let retries = 0;
  let declared = 0;

  function counts(): TrialCounts {
    const scored = byStatus.passed + byStatus.failed + byStatus.hard_fail + byStatus.crashed;
    return {
      total: scored + byStatus.unscored,
      scored,
      passed: byStatus.passed,
      failed: byStatus.failed,
      hardFailed: byStatus.hard_fail,
      crashed: byStatus.crashed,
      unscored: byStatus.unscored,
      scoreSum: scoreSum.value(),
      reachable: byCase.reachable(),
    };
  }

  /** What failed an assertion is among the failures. */
  function countError(trial: TrialResult, message: string): void {
    const { status, error_code, error_stack } = trial;
    const error = { message, trial, code: error_code, stack: error_stack ?? undefined };
    if (status === 'crashed') crashes.add(error);
    else if (status === 'unscored') errors.add(error);
  }

  return {
    counts,
    add(trial) {
      byCase.add(trial);
      retries += trial.retries;
      if (trial.answered_by) answeredBy.add(trial.answered_by);
      agents.add(agentCost(trial));
      ofJudges.add(judgeCost(trial));
      if (!decisive.has(trial.case_index)) {
        quarantined += 1;
        return;
      }
      byStatus[trial.status] += 1;
      if (trial.error_message === null) recorded += 1;
      else countError(trial, trial.error_message);
      judges.add(trial);
      if (trial.status === 'unscored') return;
      answers.add(trial.answer_hash);
      if (trial.eval_results.some(({ metadata }) => metadata.tools_declared === true)) declared += 1;
      failures.add(trial);
      byGate.add(trial);
      latencies.push(trial.latency_seconds);
      if (trial.score === null) return;
      scores.push(trial.score);
      scoreSum.add(trial.score);
    },
    summary({ stopped, stopError, notJudged = [], earlierCosts = [], ...policy }) {
      const { total, scored, passed, failed, hardFailed, crashed, unscored } = counts();
      const scoreAvg = cases.length < 2 ? mean(scores) : byCase.scoreAvg();
      const others = [...notJudged, ...earlierCosts];
      const cost = withoutFreeKills(sumCosts([agents.total(), ...others.map(agentCost)]));
      const ran = total + quarantined + notJudged.length;
      const passRate = { value: byCase.passRate(), interval: byCase.interval() };
      const isOneDraw = cases.length < 2 && answers.areIdentical();
      const units = cases.length < 2 ? scored : byCase.scoredCases();
      const gateResults = byGate.results(passRate, { isOneDraw, units });
      const outcome = {
        ...{ counts: counts(), planned: trialsPlanned, recorded, passRate: passRate.value, scoreAvg },
        ...{ gates, gateResults, stopped },
      };
      return {
        ...identity,
        answered_by: [...answeredBy].sort().slice(0, MOST_MODELS),
        ...(isQuarantined && !policy.recordOnly ? QUARANTINED : scenarioVerdict(outcome, policy)),
        skipped: null,
        quarantine: sharedQuarantine(cases, startedAt),
        trials_quarantined: quarantined,
        min_pass_rate: gates.min_pass_rate,
        min_score: gates.min_score,
        gates: gateResults,
        trials_planned: trialsPlanned,
        trials_total: total,
        trials_scored: scored,
        trials_passed: passed,
        trials_failed: failed,
        trials_hard_failed: hardFailed,
        trials_crashed: crashed,
        trials_unscored: unscored,
        trials_declared: declared,
        trials_not_judged: notJudged.length,
        stopped,
        stop_error: stopError ? { message: stopError.message, code: stopError.code } : null,
        pass_rate: passRate.value,
        pass_rate_ci: passRate.interval,
        identical_trials: isOneDraw,
        ...byCase.reliability(),
        score_avg: scoreAvg,
        score_min: quantile(scores, 0),
        score_p50: quantile(scores, 0.5),
        score_p95: quantile(scores, 0.95),
        threshold,
        cost_total_usd: cost.usd,
        ...(cost.at_least && { cost_at_least: cost.at_least }),
        cost_per_trial_usd: cost.usd === null || ran === 0 ? null : cost.usd / ran,
        ...judgeCostFields(withoutFreeKills(sumCosts([ofJudges.total(), ...others.map(judgeCost)]))),
        latency_p50: quantile(latencies, 0.5),
        latency_p95: quantile(latencies, 0.95),
        retries,
        assertion_failures: failures.failures(),
        never_passed: failures.neverPassed(),
        judges: judges.judges(),
        errors: errors.groups(),
        crashes: crashes.groups(),
        cases: byCase.summaries({ ...policy, gates, stopped }),
      };
    },
  };
}

/** Calls of an agent or of judges that have cost nothing so far cost nothing in a process that was killed, either. */
function withoutFreeKills(cost: Cost): Cost {
  return cost.at_least?.usd === 0 && cost.at_least.calls_unknown === 0 ? NO_COST : cost;
}

/** A server may answer under a new name each time. */
const MOST_MODELS = 10;

const QUARANTINED = { verdict: 'QUARANTINED', decided_by: 'quarantine' } as const;

function sharedQuarantine(cases: readonly PlannedCase[], startedAt: string): ScenarioSummary['quarantine'] {
  const [first] = cases;
  if (!first?.quarantine) return null;
  const { until, reason } = first.quarantine;
  const isShared = cases.every(({ quarantine }) => quarantine?.until === until && quarantine.reason === reason);
  return isShared ? quarantineSummary(first.quarantine, startedAt) : null;
}

import { createExactSum } from '../../stats/exact-sum.ts';
import { mean } from '../../stats/mean.ts';
import { passAtK, passHatK } from '../../stats/pass-at-k.ts';
import { quantile } from '../../stats/quantile.ts';
import { createRunningSum } from '../../stats/sum-or-unknown.ts';
import { wilsonInterval } from '../../stats/wilson-interval.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { ScenarioSummary } from '../run-document.ts';
import { scenarioVerdict, type TrialCounts, type VerdictPolicy } from '../verdict.ts';
import { createErrorTally } from './error-tally.ts';
import { createFailureTally } from './failure-tally.ts';
import { createJudgeTally } from './judge-tally.ts';

export interface ScenarioTally {
  add(trial: TrialResult): void;
  counts(): TrialCounts;
  summary(options: VerdictPolicy & { stopped: ScenarioSummary['stopped'] }): ScenarioSummary;
}

/**
 * Adds up the trials of a scenario as they finish. It keeps a few numbers of each and not its results, so memory stays
 * flat over ten thousand trials. The summary is bit-identical for every order of the trials.
 */
export function createScenarioTally(scenario: {
  name: string;
  file: string;
  model: string;
  adapter: string;
  threshold: number;
  trialsPlanned: number;
}): ScenarioTally {
  const { trialsPlanned, ...identity } = scenario;
  const byStatus = { passed: 0, failed: 0, hard_fail: 0, unscored: 0 };
  const scores: number[] = [];
  const latencies: number[] = [];
  const scoreSum = createExactSum();
  const cost = createRunningSum();
  const judgeCost = createRunningSum();
  const failures = createFailureTally();
  const judges = createJudgeTally();
  const errors = createErrorTally();
  let recorded = 0;
  let retries = 0;

  function counts(): TrialCounts {
    const scored = byStatus.passed + byStatus.failed + byStatus.hard_fail;
    return {
      total: scored + byStatus.unscored,
      scored,
      passed: byStatus.passed,
      failed: byStatus.failed,
      hardFailed: byStatus.hard_fail,
      unscored: byStatus.unscored,
      scoreSum: scoreSum.value(),
    };
  }

  return {
    counts,
    add(trial) {
      byStatus[trial.status] += 1;
      retries += trial.retries;
      cost.add(trial.cost_usd);
      judgeCost.add(trial.judge_cost_usd);
      if (trial.error_message === null) recorded += 1;
      else errors.add(trial.error_message, trial.trial_number, trial.error_code);
      judges.add(trial.eval_results);
      if (trial.status === 'unscored') return;
      failures.add(trial.eval_results, trial.trial_number);
      if (trial.latency_seconds !== null) latencies.push(trial.latency_seconds);
      if (trial.score === null) return;
      scores.push(trial.score);
      scoreSum.add(trial.score);
    },
    summary({ stopped, ...policy }) {
      const { total, scored, passed, failed, hardFailed, unscored } = counts();
      const scoreAvg = mean(scores);
      const costTotal = cost.total();
      return {
        ...identity,
        verdict: scenarioVerdict(
          { counts: counts(), planned: trialsPlanned, recorded, scoreAvg, threshold: scenario.threshold, stopped },
          policy,
        ),
        trials_planned: trialsPlanned,
        trials_total: total,
        trials_scored: scored,
        trials_passed: passed,
        trials_failed: failed,
        trials_hard_failed: hardFailed,
        trials_unscored: unscored,
        stopped,
        pass_rate: scored === 0 ? null : passed / scored,
        pass_rate_ci: wilsonInterval({ passed, total: scored }),
        pass_at_k: forEachK(scored, (k) => passAtK({ total: scored, passed, k })),
        pass_hat_k: forEachK(scored, (k) => passHatK({ total: scored, passed, k })),
        score_avg: scoreAvg,
        score_min: quantile(scores, 0),
        score_p50: quantile(scores, 0.5),
        score_p95: quantile(scores, 0.95),
        cost_total_usd: costTotal,
        cost_per_trial_usd: costTotal === null || total === 0 ? null : costTotal / total,
        judge_cost_usd: judgeCost.total(),
        latency_p50: quantile(latencies, 0.5),
        latency_p95: quantile(latencies, 0.95),
        retries,
        assertion_failures: failures.failures(),
        judges: judges.judges(),
        errors: errors.groups(),
      };
    },
  };
}

/** For k = 1, 2, 3, 5, 10, 20, 50, 100 and so on, up to the number of trials. */
function forEachK(trials: number, chance: (k: number) => number): Record<string, number> {
  const ks = [1, 2, 3];
  for (let power = 1; power <= trials; power *= 10) ks.push(5 * power, 10 * power, 20 * power);
  return Object.fromEntries(ks.filter((k) => k <= trials).map((k) => [String(k), chance(k)]));
}

import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import { mean } from '../../stats/mean.ts';
import { meetsThreshold, THRESHOLD_TOLERANCE } from '../../stats/meets-threshold.ts';
import type { Gates } from './gates.ts';
import type { TrialCounts } from './verdict.ts';

/**
 * Whether the trials that a scenario still lacks can no longer change whether it passes, and so not the exit code of its
 * run. Assumes that all of them can be scored, because a provider's failure cannot be predicted. If the scenario has a
 * required assertion, only its failure decides early: any later trial could still turn the verdict into a hard fail.
 * With gates beside `min_pass_rate` and `min_score`, only a failure can be certain: what costs, times and criteria will
 * be is unknown.
 */
export function isVerdictCertain(
  counts: TrialCounts,
  scenario: Gates & { assertions: readonly Pick<Assertion, 'required'>[] },
  options: { trials: number; allow_unscored: boolean },
): boolean {
  const { min_pass_rate, min_score, further, assertions } = scenario;
  if (counts.total >= options.trials) return false;
  if (counts.unscored > 0 && !options.allow_unscored) return true;
  if (counts.hardFailed > 0) return true;
  if (counts.scored === 0 || assertions.some(({ required }) => required)) return false;
  const best = reachable(counts, options.trials, 1);
  const worst = reachable(counts, options.trials, 0);
  const fails =
    isClearlyBelow(best.passRate, min_pass_rate) || (min_score !== null && isClearlyBelow(best.mean, min_score));
  const passes =
    further.length === 0 &&
    isClearlyMet(worst.passRate, min_pass_rate) &&
    (min_score === null || isClearlyMet(worst.mean, min_score));
  return fails || passes;
}

/** Mean and pass rate if every later trial scored the same: 1 and passed, or 0 and failed. Each case weighs the same. */
function reachable(counts: TrialCounts, planned: number, score: 0 | 1): { mean: number; passRate: number } {
  const cases = (counts.cases ?? [{ ...counts, planned }]).flatMap((each) => {
    const remaining = each.planned - each.total;
    const trials = each.scored + remaining;
    return trials === 0 ? [] : [{ ...each, added: remaining * score, trials }];
  });
  return {
    mean: mean(cases.map(({ scoreSum, added, trials }) => (scoreSum + added) / trials)) ?? 0,
    passRate: mean(cases.map(({ passed, added, trials }) => (passed + added) / trials)) ?? 0,
  };
}

/** Below by twice the tolerance of the verdict, so that rounding here cannot contradict the verdict. */
function isClearlyBelow(value: number, threshold: number): boolean {
  return !meetsThreshold(value, threshold - THRESHOLD_TOLERANCE);
}

/** Met without the tolerance of the verdict. */
function isClearlyMet(value: number, threshold: number): boolean {
  return meetsThreshold(value, threshold + THRESHOLD_TOLERANCE);
}

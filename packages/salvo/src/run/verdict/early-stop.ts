import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import { meetsThreshold, THRESHOLD_TOLERANCE } from '../../stats/mean.ts';
import type { Gates } from './gates.ts';
import { createReachableMeans, type ReachableMeans } from './reachable-means.ts';
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
  const { best, worst } = counts.reachable ?? reachableByOne(counts, options.trials);
  const fails =
    isClearlyBelow(best.passRate, min_pass_rate) || (min_score !== null && isClearlyBelow(best.mean, min_score));
  const passes =
    further.length === 0 &&
    isClearlyMet(worst.passRate, min_pass_rate) &&
    (min_score === null || isClearlyMet(worst.mean, min_score));
  return fails || passes;
}

/** Of a scenario without cases. */
function reachableByOne(counts: TrialCounts, trials: number): ReachableMeans {
  const means = createReachableMeans([{ index: 0, trials }]);
  means.update(0, counts);
  return means.means();
}

/** Below by twice the tolerance of the verdict, so that rounding here cannot contradict the verdict. */
function isClearlyBelow(value: number, threshold: number): boolean {
  return !meetsThreshold(value, threshold - THRESHOLD_TOLERANCE);
}

/** Met without the tolerance of the verdict. */
function isClearlyMet(value: number, threshold: number): boolean {
  return meetsThreshold(value, threshold + THRESHOLD_TOLERANCE);
}

import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { meetsThreshold, THRESHOLD_TOLERANCE } from '../stats/meets-threshold.ts';
import type { RunRecord } from './run-record.ts';
import type { TrialCounts } from './verdict.ts';

export interface Prospects extends TrialCounts {
  planned: number;
  threshold: number;
  minPassRate: number | null;
  /** Whether a later trial could be a hard fail. */
  hasRequired: boolean;
  allowUnscored: boolean;
}

/** Whether the trials that a scenario still lacks can no longer change the exit code of its run. */
export function isVerdictCertain(
  counts: TrialCounts,
  { threshold, assertions }: Pick<Scenario, 'threshold' | 'assertions'>,
  options: RunRecord['options'],
): boolean {
  return canStopEarly({
    ...counts,
    planned: options.trials,
    threshold,
    minPassRate: options.min_pass_rate,
    hasRequired: assertions.some(({ required }) => required),
    allowUnscored: options.allow_unscored,
  });
}

/**
 * Assumes that all later trials can be scored, because a provider's failure cannot be predicted. If the scenario has a
 * required assertion, only its failure decides early: any later trial could still turn the verdict into a hard fail.
 */
export function canStopEarly(prospects: Prospects): boolean {
  const { total, planned, scored, hardFailed, unscored, allowUnscored, hasRequired } = prospects;
  if (total >= planned) return false;
  if (hardFailed > 0) return true;
  if (unscored > 0 && !allowUnscored) return true;
  if (hasRequired || scored === 0) return false;
  return failsAnyway(prospects) || passesAnyway(prospects);
}

function failsAnyway({ threshold, minPassRate, ...soFar }: Prospects): boolean {
  const { mean, passRate } = reachable(soFar, 1);
  return isClearlyBelow(mean, threshold) || (minPassRate !== null && isClearlyBelow(passRate, minPassRate));
}

function passesAnyway({ threshold, minPassRate, ...soFar }: Prospects): boolean {
  const { mean, passRate } = reachable(soFar, 0);
  return (
    meetsThreshold(mean, threshold + THRESHOLD_TOLERANCE) &&
    (minPassRate === null || meetsThreshold(passRate, minPassRate + THRESHOLD_TOLERANCE))
  );
}

/** Mean and pass rate if every later trial scored the same: 1 and passed, or 0 and failed. */
function reachable(counts: TrialCounts & { planned: number }, score: 0 | 1): { mean: number; passRate: number } {
  const remaining = counts.planned - counts.total;
  const trials = counts.scored + remaining;
  return {
    mean: (counts.scoreSum + remaining * score) / trials,
    passRate: (counts.passed + remaining * score) / trials,
  };
}

/** Below by twice the tolerance of the verdict, so that rounding here cannot contradict the verdict. */
function isClearlyBelow(value: number, threshold: number): boolean {
  return !meetsThreshold(value, threshold - THRESHOLD_TOLERANCE);
}

import { meetsThreshold, THRESHOLD_TOLERANCE } from '../stats/meets-threshold.ts';
import type { TrialCounts } from './tally/trial-counts.ts';

export interface Prospects extends TrialCounts {
  planned: number;
  threshold: number;
  minPassRate: number | null;
  /** Whether a trial still to come could fail hard. */
  hasRequired: boolean;
  allowUnscored: boolean;
}

/**
 * Why the trials still to come cannot change the exit code any more; null while they can. They are taken to be scored:
 * whether a provider will be down cannot be known. Where a required assertion exists only its failure settles anything
 * early, since any later trial could still turn a pass or a failure into a hard fail.
 */
export function isSettled(prospects: Prospects): string | null {
  const { total, planned, scored, hardFailed, unscored, allowUnscored, hasRequired } = prospects;
  if (total >= planned) return null;
  if (hardFailed > 0) return 'a required assertion failed';
  if (unscored > 0 && !allowUnscored) return 'a trial could not be scored';
  if (hasRequired || scored === 0) return null;
  return failsAnyway(prospects) ?? passesAnyway(prospects);
}

function failsAnyway({ threshold, minPassRate, ...soFar }: Prospects): string | null {
  const { mean, passRate } = reachable(soFar, 1);
  if (isClearlyBelow(mean, threshold)) return `the mean score cannot reach ${threshold} any more`;
  if (minPassRate !== null && isClearlyBelow(passRate, minPassRate)) {
    return `the pass rate cannot reach ${minPassRate} any more`;
  }
  return null;
}

function passesAnyway({ threshold, minPassRate, ...soFar }: Prospects): string | null {
  const { mean, passRate } = reachable(soFar, 0);
  const safe = meetsThreshold(mean, threshold + THRESHOLD_TOLERANCE);
  const rateSafe = minPassRate === null || meetsThreshold(passRate, minPassRate + THRESHOLD_TOLERANCE);
  return safe && rateSafe ? `the mean score cannot fall below ${threshold} any more` : null;
}

/** Mean and pass rate if every trial to come scored the same: 1 and passed, or 0 and failed. */
function reachable(counts: TrialCounts & { planned: number }, score: 0 | 1): { mean: number; passRate: number } {
  const remaining = counts.planned - counts.total;
  const trials = counts.scored + remaining;
  return {
    mean: (counts.scoreSum + remaining * score) / trials,
    passRate: (counts.passed + remaining * score) / trials,
  };
}

/** Twice the tolerance of the verdict, so that rounding here cannot settle what the verdict would decide otherwise. */
function isClearlyBelow(value: number, threshold: number): boolean {
  return !meetsThreshold(value, threshold - THRESHOLD_TOLERANCE);
}

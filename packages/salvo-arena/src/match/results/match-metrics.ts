import { wilsonInterval } from 'salvo/kit/stats';
import type { Severity } from '../claims/severity.ts';
import type { Interval, ScoreResults } from './score-results.ts';

interface MatchCounts {
  truePositives: number;
  /** Findings without a match, including duplicates. */
  falsePositives: number;
  falseNegatives: number;
  duplicates: number;
  /** Null without a report on the clean twin. */
  falseAlarmsByTwin: number | null;
  /** How many of them are about values that only evaluation finds; missing or null if that is not known. */
  unresolved?: number | null;
}

/** All metrics that follow from the counts alone. A rate with a denominator of 0 is 0, and has no interval. */
export function matchMetrics(counts: MatchCounts) {
  const { truePositives, falsePositives, falseNegatives, duplicates, falseAlarmsByTwin, unresolved = null } = counts;
  const findings = truePositives + falsePositives;
  const vulnerabilities = truePositives + falseNegatives;
  const precision = rate(truePositives, findings);
  const recall = rate(truePositives, vulnerabilities);
  const decided = falseAlarmsByTwin === null ? null : truePositives + falseAlarmsByTwin;
  const precisionByTwin = decided === null ? null : rate(truePositives, decided);
  const resolved = decided === null || unresolved === null ? null : decided - unresolved;
  const precisionUsed: ScoreResults['precisionUsed'] = precisionByTwin === null ? 'classic' : 'twin';
  return {
    truePositives,
    falsePositives,
    falseNegatives,
    precision,
    recall,
    f1Score: fBeta(precision, recall, 1),
    f2Score: fBeta(precision, recall, 2),
    f05Score: fBeta(precision, recall, 0.5),
    evasionRate: rate(falseNegatives, vulnerabilities),
    empty: findings === 0 && vulnerabilities === 0,
    precisionWithoutDuplicates: rate(truePositives, findings - duplicates),
    precisionByTwin,
    f1ByTwin: precisionByTwin === null ? null : fBeta(precisionByTwin, recall, 1),
    precisionWithoutUnresolved: resolved === null ? null : rate(truePositives, resolved),
    precisionUsed,
    intervals: {
      precision: rateInterval(truePositives, findings),
      recall: rateInterval(truePositives, vulnerabilities),
      evasionRate: rateInterval(falseNegatives, vulnerabilities),
      precisionByTwin: decided === null ? null : rateInterval(truePositives, decided),
      precisionWithoutUnresolved: resolved === null ? null : rateInterval(truePositives, resolved),
    },
  };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function rateInterval(passed: number, total: number): Interval | null {
  const interval = wilsonInterval({ passed, total });
  return interval && { low: interval[0], high: interval[1] };
}

/**
 * The weighted harmonic mean of precision and recall. Recall counts `beta` times as much as precision: 1 is F1; 2 suits
 * users for whom a missed flaw is worse, 0.5 those for whom a false alarm is. 0 when either is 0.
 */
export function fBeta(precision: number, recall: number, beta: number): number {
  if (!(beta > 0 && Number.isFinite(beta))) throw new RangeError(`beta must be a number above 0, got ${beta}`);
  if (precision === 0 || recall === 0) return 0;
  const weight = beta * beta;
  return ((1 + weight) * precision * recall) / (weight * precision + recall);
}

/** One step for each severity. An informational vulnerability still counts a little. */
const SEVERITY_WEIGHTS: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1, info: 0.5 };

/**
 * Recall with every vulnerability weighted by its severity: missing a critical one costs four times as much as missing
 * a low one. A vulnerability without a severity weighs as much as a medium one. 0 when there are none.
 */
export function severityWeightedRecall(
  vulnerabilities: readonly { severity: Severity | null; found: boolean }[],
): number {
  let [found, all] = [0, 0];
  for (const vulnerability of vulnerabilities) {
    const weight = SEVERITY_WEIGHTS[vulnerability.severity ?? 'medium'];
    all += weight;
    if (vulnerability.found) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

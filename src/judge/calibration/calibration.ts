import type { VoteScores } from '../../models/scoring/read-scores.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { type CorrectedRate, type CountedRate, correctedRate } from '../../stats/corrected-rate.ts';
import { meetsThreshold } from '../../stats/meets-threshold.ts';
import { quantile } from '../../stats/quantile.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { weightedMean } from '../../stats/weighted-mean.ts';
import { voteOutcomes } from '../votes/aggregation.ts';
import { type Comparison, calibrationMetrics } from './calibration-metrics.ts';
import { CALIBRATION_VERDICTS, type CalibrationReport } from './calibration-record.ts';

type Rubric = readonly Pick<CriterionLike, 'name' | 'weight'>[];

/** One labelled item with the votes of the judge. */
export interface CalibrationItem {
  /** Of the label in its file; the item's position, from 1, when missing. */
  line?: number | undefined;
  /** The labels: scores from 0 to 1 by criterion, a verdict, or both. */
  labels?: Readonly<Record<string, number>> | null | undefined;
  passed?: boolean | null | undefined;
  /** The item's own rubric, when it has one. */
  criteria?: Rubric | null | undefined;
  /** The votes of every repeat. Only the first repeat is compared with people; null is an unreadable vote. */
  votes: readonly (readonly (VoteScores | null)[])[];
  /** The outcome of the first repeat; null when the judge could not score the item. */
  outcome: { score: number; passed: boolean } | null;
  /** Why there is no outcome. */
  error?: string | null | undefined;
}

/**
 * How far a judge agrees with people, per criterion and overall, and how far with itself.
 * An item that the judge could not score is listed and not counted: a dead provider is not a wrong verdict.
 */
export function calibrate(options: {
  items: readonly CalibrationItem[];
  criteria: Rubric;
  threshold: number;
  seed: number;
}): CalibrationReport {
  const { items, threshold, seed } = options;
  const numbered = items.map((item, index) => ({
    ...item,
    line: item.line ?? index + 1,
    rubric: item.criteria ?? options.criteria,
  }));
  const scored = numbered.flatMap((item) => (item.outcome ? [{ ...item, outcome: item.outcome }] : []));
  const names = new Set([...options.criteria, ...numbered.flatMap(({ rubric }) => rubric)].map(({ name }) => name));
  const criteria = [...names].map((name) => ({
    name,
    ...calibrationMetrics(
      scored.flatMap((item) => onCriterion(item, name, threshold) ?? []),
      { threshold, random: seededRandom(seed, 'calibration', name) },
    ),
  }));
  const overall = calibrationMetrics(
    scored.map((item) => overallOf(item, threshold)),
    { threshold, random: seededRandom(seed, 'calibration') },
  );
  const votes = items.flatMap((item) => item.votes.flat());
  return {
    threshold,
    items: items.length,
    scored: scored.length,
    unscored: numbered.flatMap(({ line, outcome, error }) => (outcome ? [] : [{ line, error: error ?? null }])),
    votes: votes.length,
    unreadable_votes: votes.filter((vote) => vote === null).length,
    criteria,
    overall,
    ...verdictOf(overall, criteria),
  };
}

/**
 * The pass rate that people would have found, from the one a calibrated judge found.
 * Null when it is undefined: no labels of one kind, or a judge no better than chance.
 */
export function correctedPassRate(
  calibration: Pick<CalibrationReport, 'overall'>,
  observed: CountedRate,
): CorrectedRate | null {
  const { sensitivity, specificity } = calibration.overall;
  return correctedRate({
    observed,
    sensitivity: { passed: sensitivity.correct, total: sensitivity.total },
    specificity: { passed: specificity.correct, total: specificity.total },
  });
}

type ScoredItem = CalibrationItem & { rubric: Rubric; outcome: { score: number; passed: boolean } };

/** Null when no vote of the first repeat scored the criterion. */
function onCriterion(item: ScoredItem, name: string, threshold: number): Comparison | null {
  const scores = item.votes.map((repeat) =>
    readable(repeat).flatMap((vote) => (Object.hasOwn(vote, name) ? (vote[name]?.score ?? []) : [])),
  );
  const score = quantile(scores[0] ?? [], 0.5);
  if (score === null) return null;
  const label = labelOf(item, name);
  return {
    human: { passed: label === null ? null : meetsThreshold(label, threshold), score: label },
    judge: { passed: meetsThreshold(score, threshold), score },
    votes: scores.map((repeat) => repeat.map((each) => meetsThreshold(each, threshold))),
  };
}

function overallOf(item: ScoredItem, threshold: number): Comparison {
  const score = labelledScore(item);
  return {
    human: { passed: item.passed ?? (score === null ? null : meetsThreshold(score, threshold)), score },
    judge: item.outcome,
    votes: item.votes.map((repeat) =>
      voteOutcomes(readable(repeat), item.rubric, threshold).map(({ passed }) => passed),
    ),
  };
}

function readable(votes: readonly (VoteScores | null)[]): VoteScores[] {
  return votes.filter((vote) => vote !== null);
}

/** The weighted mean of the labels; null unless every criterion with weight has one. No label is not a label of 0. */
function labelledScore(item: ScoredItem): number | null {
  const counting = item.rubric.filter(({ weight }) => weight > 0);
  const labels = counting.flatMap(({ name, weight }) => {
    const value = labelOf(item, name);
    return value === null ? [] : [{ value, weight }];
  });
  return labels.length < counting.length ? null : weightedMean(labels);
}

function labelOf({ labels }: CalibrationItem, name: string): number | null {
  return labels && Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

/** The overall verdict; without labels for that, the verdict of the weakest criterion. */
function verdictOf(
  overall: CalibrationReport['overall'],
  criteria: CalibrationReport['criteria'],
): Pick<CalibrationReport, 'verdict' | 'reason'> {
  const labelled = criteria.filter(({ n }) => n > 0);
  const [weakest] = labelled.toSorted((a, b) => rank(a) - rank(b));
  if (overall.n > 0 || !weakest) return { verdict: overall.verdict, reason: overall.reason };
  return { verdict: weakest.verdict, reason: `of its criteria "${weakest.name}" is the weakest: ${weakest.reason}` };
}

function rank({ verdict }: { verdict: CalibrationReport['verdict'] }): number {
  return CALIBRATION_VERDICTS.indexOf(verdict);
}

import { clampScore, type VoteScores } from '../../models/scoring/read-scores.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { exactSum } from '../../stats/exact-sum.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { probabilityOfMean } from '../../stats/probability-of-mean.ts';
import { trimmedMean, type WeightedScore, weightedMean, weightedMedian } from '../../stats/weighted-mean.ts';
import type { CriterionOutcome, JudgeMetadata } from './judge-metadata.ts';

/** The weights are sums of floating-point numbers: a difference this small is a tie. */
const TIE_TOLERANCE = 2e-9;

/** A judge passes what it says passes with a probability above this. */
export const EVEN_PROBABILITY = 0.5 + TIE_TOLERANCE;

type Aggregation = JudgeMetadata['aggregation'];
export type WeightedCriterion = Pick<CriterionLike, 'name' | 'weight'>;

export interface AggregationOptions {
  /** How the scores of a criterion become one. The verdict is that of the majority in any case. */
  aggregation?: Aggregation | undefined;
  /** How much each vote counts, in the order of the votes; 1 each when missing. */
  voteWeights?: readonly number[] | undefined;
}

export interface AggregatedVotes {
  overallScore: number;
  passed: boolean;
  perCriterion: { name: string; medianScore: number; allScores: number[]; weight: number }[];
}

/**
 * k votes as one: the median per criterion, the weighted mean of these, and the verdict of the strict majority of
 * votes. A criterion that a vote left out has the score 0 in that vote.
 */
export function aggregateKVotes(
  votes: readonly VoteScores[],
  criteria: readonly WeightedCriterion[],
  threshold: number,
  { aggregation = 'median', voteWeights }: AggregationOptions = {},
): AggregatedVotes {
  if (votes.length === 0) return { overallScore: 0, passed: false, perCriterion: [] };
  const scored = criteria.map((criterion) => ({ ...criterion, scores: scoresOf(votes, criterion.name, voteWeights) }));
  return {
    overallScore:
      weightedMean(scored.map(({ scores, weight }) => ({ value: combine(scores, aggregation), weight }))) ?? 0,
    passed: majorityPasses(voteOutcomes(votes, criteria, threshold), voteWeights),
    perCriterion: scored.map(({ name, weight, scores }) => ({
      name,
      medianScore: combine(scores, 'median'),
      allScores: scores.map(({ value }) => value),
      weight,
    })),
  };
}

export interface VoteOutcome {
  score: number;
  passed: boolean;
  /** Of a decision: how likely its weighted mean reaches the threshold. */
  probability?: number;
}

/**
 * Score and verdict of each vote: the weighted mean over the criteria. A decision passes if this mean reaches the
 * threshold with a probability above 0.5. When no criterion has weight, no vote passes.
 */
export function voteOutcomes(
  votes: readonly VoteScores[],
  criteria: readonly WeightedCriterion[],
  threshold: number,
): VoteOutcome[] {
  const hasWeight = criteria.some(({ weight }) => weight > 0);
  return votes.map((vote) => {
    const score = weightedMean(criteria.map(({ name, weight }) => ({ value: scoreIn(vote, name), weight }))) ?? 0;
    const probability = isDecision(vote) ? passProbability(vote, criteria, threshold) : null;
    if (probability !== null) return { score, passed: probability > EVEN_PROBABILITY, probability };
    return { score, passed: hasWeight && meetsThreshold(score, threshold) };
  });
}

function isDecision(vote: VoteScores): boolean {
  return Object.values(vote).some(({ probabilities }) => probabilities !== undefined);
}

/** The criteria are taken as independent: a decision model answers each question on its own. */
function passProbability(vote: VoteScores, criteria: readonly WeightedCriterion[], threshold: number): number | null {
  const scores = criteria.map(({ name, weight }) => {
    const levels = (Object.hasOwn(vote, name) && vote[name]?.probabilities) || [];
    const certain = [{ value: scoreIn(vote, name), probability: 1 }];
    const outcomes = levels.map(({ score, probability }) => ({ value: clampScore(score), probability }));
    return { weight, outcomes: outcomes.length > 0 ? outcomes : certain };
  });
  return probabilityOfMean(scores, threshold);
}

/** The range of each criterion, the reasoning of the vote nearest its score, and how many votes disagree. */
export function describeVotes(
  votes: readonly VoteScores[],
  criteria: readonly WeightedCriterion[],
  threshold: number,
  { passed, aggregation = 'median', voteWeights }: AggregationOptions & { passed: boolean },
): { perCriterion: CriterionOutcome[]; dissentingVotes: number } {
  return {
    perCriterion: criteria.map(({ name, weight }) => {
      const scores = scoresOf(votes, name, voteWeights);
      const score = combine(scores, aggregation);
      const all_scores = scores.map(({ value }) => value);
      return {
        name,
        score,
        median_score: combine(scores, 'median'),
        all_scores,
        weight,
        range: all_scores.length === 0 ? null : [Math.min(...all_scores), Math.max(...all_scores)],
        reasoning: nearestReasoning(votes, name, score),
      };
    }),
    dissentingVotes: voteOutcomes(votes, criteria, threshold).filter((vote) => vote.passed !== passed).length,
  };
}

/** The score of a criterion in a vote; 0 when the vote left it out. */
function scoreIn(vote: VoteScores, name: string): number {
  const score = Object.hasOwn(vote, name) ? vote[name]?.score : undefined;
  return typeof score === 'number' && Number.isFinite(score) ? clampScore(score) : 0;
}

function scoresOf(votes: readonly VoteScores[], name: string, voteWeights?: readonly number[]): WeightedScore[] {
  return votes.map((vote, index) => ({ value: scoreIn(vote, name), weight: voteWeights?.[index] ?? 1 }));
}

const COMBINED = { median: weightedMedian, mean: weightedMean, trimmed_mean: trimmedMean };

function combine(scores: readonly WeightedScore[], aggregation: Aggregation): number {
  return COMBINED[aggregation](scores) ?? 0;
}

/** Whether the weight of the passing votes is a strict majority. A tie is none. */
export function isMajority({ passed, failed }: { passed: number; failed: number }): boolean {
  return passed - failed > (passed + failed) * TIE_TOLERANCE;
}

function majorityPasses(outcomes: readonly { passed: boolean }[], voteWeights?: readonly number[]): boolean {
  const weight = (index: number) => voteWeights?.[index] ?? 1;
  const sumOf = (side: boolean) => exactSum(outcomes.map(({ passed }, index) => (passed === side ? weight(index) : 0)));
  return isMajority({ passed: sumOf(true), failed: sumOf(false) });
}

/** Of votes equally near, the first that gives a reason. */
function nearestReasoning(votes: readonly VoteScores[], name: string, score: number): string | null {
  let nearest: { distance: number; reasoning: string } | null = null;
  for (const vote of votes) {
    const reasoning = Object.hasOwn(vote, name) ? (vote[name]?.reasoning ?? '') : '';
    if (reasoning.trim() === '') continue;
    const distance = Math.abs(scoreIn(vote, name) - score);
    if (!nearest || distance < nearest.distance) nearest = { distance, reasoning };
  }
  return nearest?.reasoning ?? null;
}

/**
 * A sentence where the verdict is not what the score implies; null where they agree. `probability` is that of a decision
 * which is the only vote.
 */
export function verdictNote(judgement: {
  score: number;
  passed: boolean;
  threshold: number;
  probability?: number | undefined;
}): string | null {
  const { score, passed, threshold, probability } = judgement;
  if (meetsThreshold(score, threshold) === passed) return null;
  const [verdict, relation] = passed ? ['passed', 'is below'] : ['failed', 'meets'];
  if (probability !== undefined) {
    return `It ${verdict} because it reaches its threshold of ${exact(threshold)} with a probability of ${exact(probability)}, although its mean score of ${exact(score)} ${relation} it.`;
  }
  return `The majority of the votes ${verdict} it, although its score of ${exact(score)} ${relation} its threshold of ${exact(threshold)}.`;
}

/** With two digits, or with more where two would hide a difference. */
function exact(value: number): string {
  const short = value.toFixed(2);
  return Math.abs(Number(short) - value) < 1e-9 ? short : String(Number(value.toFixed(6)));
}

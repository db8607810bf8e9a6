import type { VoteScores } from '../../models/scoring/read-scores.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { meetsThreshold, quantile } from '../../stats/mean.ts';
import { weightedMean } from '../../stats/weighted-mean.ts';
import { voteOutcomes } from '../votes/aggregation.ts';
import { type ComparedJudge, compareWithPeople, type JudgedItem } from './compare-with-people.ts';
import type { Comparison } from './comparison.ts';

type Rubric = readonly Pick<CriterionLike, 'name' | 'weight'>[];

type Unknowable<T> = { [Field in keyof T]?: T[Field] | null | undefined };

/**
 * One labelled item with the votes of the judge. Without a line it has that of its position, from 1; without an answer,
 * equal responses are equal answers.
 */
export interface CalibrationItem extends Unknowable<Omit<JudgedItem, 'comparison' | 'said'>> {
  /** The labels: scores from 0 to 1 by criterion, a verdict, or both. */
  labels?: Readonly<Record<string, number>> | null | undefined;
  passed?: boolean | null | undefined;
  /** The item's own rubric, when it has one. */
  criteria?: Rubric | null | undefined;
  /** The votes of every repeat. Only the first repeat is compared with people; null is an unreadable vote. */
  votes: readonly (readonly (VoteScores | null)[])[];
  /** How many of the votes have no answer because the call failed. */
  failedCalls?: number | undefined;
  /** The outcome of the first repeat; null when the judge could not score the item. */
  outcome: { score: number; passed: boolean } | null;
  /** What the judge said about each criterion. */
  said?: readonly { name: string; score: number; reasoning: string | null }[] | undefined;
}

/** Compares the votes of a judge with the labels of people, per criterion and overall. */
export function calibrate(options: {
  items: readonly CalibrationItem[];
  criteria: Rubric;
  threshold: number;
  skipped?: number | undefined;
  seed: number;
}): ComparedJudge {
  const { items, threshold, skipped, seed } = options;
  const rubricOf = (item: CalibrationItem) => item.criteria ?? options.criteria;
  const scored = items.map((item) => item.outcome && { ...item, outcome: item.outcome, rubric: rubricOf(item) });
  const names = new Set([...options.criteria, ...items.flatMap(rubricOf)].map(({ name }) => name));
  const votes = items.flatMap((item) => item.votes.flat());
  const failedVotes = items.reduce((sum, item) => sum + (item.failedCalls ?? 0), 0);
  return compareWithPeople({
    items: items.map((item, index) => ({
      line: item.line ?? index + 1,
      scenario: item.scenario ?? null,
      case: item.case ?? null,
      answer: item.answer ?? item.response ?? null,
      weight: item.weight ?? null,
      task: item.task ?? null,
      response: item.response ?? null,
      comparison: overallOf(scored[index] ?? null, threshold),
      error: item.error ?? null,
      panel: item.panel ?? [],
      said: (item.said ?? []).map(({ name, score, reasoning }) => {
        return { criterion: name, score, label: labelOf(item, name), reasoning };
      }),
    })),
    criteria: [...names].map((name) => ({
      name,
      comparisons: scored.map((item) => item && onCriterion(item, name, threshold)),
    })),
    threshold,
    skipped,
    votes: votes.length,
    failedVotes,
    unreadableVotes: votes.filter((vote) => vote === null).length - failedVotes,
    seed,
  });
}

type ScoredItem = CalibrationItem & { rubric: Rubric; outcome: { score: number; passed: boolean } };

/** Null when no vote of the first repeat scored the criterion. */
function onCriterion(item: ScoredItem, name: string, threshold: number): Comparison | null {
  const scores = item.votes.map((repeat) => repeat.map((vote) => scoreIn(vote, name)));
  const score = quantile(
    (scores[0] ?? []).filter((each) => each !== null),
    0.5,
  );
  if (score === null) return null;
  const label = labelOf(item, name);
  return {
    human: { passed: label === null ? null : meetsThreshold(label, threshold), score: label },
    judge: { passed: meetsThreshold(score, threshold), score },
    votes: scores.map((repeat) => repeat.map((each) => (each === null ? null : meetsThreshold(each, threshold)))),
  };
}

function scoreIn(vote: VoteScores | null, name: string): number | null {
  return vote && Object.hasOwn(vote, name) ? (vote[name]?.score ?? null) : null;
}

function overallOf(item: ScoredItem | null, threshold: number): Comparison | null {
  if (!item) return null;
  const score = labelledScore(item);
  return {
    human: { passed: item.passed ?? (score === null ? null : meetsThreshold(score, threshold)), score },
    judge: item.outcome,
    votes: item.votes.map((repeat) =>
      repeat.map((vote) => (vote ? (voteOutcomes([vote], item.rubric, threshold)[0]?.passed ?? null) : null)),
    ),
  };
}

/** The weighted mean of the labels; null unless every criterion with weight has one. No label is not a label of 0. */
export function labelledScore(item: Pick<CalibrationItem, 'labels'> & { rubric: Rubric }): number | null {
  const counting = item.rubric.filter(({ weight }) => weight > 0);
  const labels = counting.flatMap(({ name, weight }) => {
    const value = labelOf(item, name);
    return value === null ? [] : [{ value, weight }];
  });
  return labels.length < counting.length ? null : weightedMean(labels);
}

function labelOf({ labels }: Pick<CalibrationItem, 'labels'>, name: string): number | null {
  return labels && Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

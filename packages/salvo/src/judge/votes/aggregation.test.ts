import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VoteScores } from '../../models/scoring/read-scores.ts';
import { aggregateKVotes, describeVotes, voteOutcomes } from './aggregation.ts';

const one = [{ name: 'a', weight: 1 }];
const two = [
  { name: 'a', weight: 3 },
  { name: 'b', weight: 1 },
];

function vote(scores: Record<string, number>): VoteScores {
  return Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [name, { score, reasoning: `${name} is ${score}` }]),
  );
}
const votesOf = (...scores: number[]) => scores.map((a) => vote({ a }));

const score = fc.double({ min: 0, max: 1, noNaN: true });
const anyVotes = fc.array(
  fc.record({ a: score, b: score, c: score }, { requiredKeys: [] }).map((scores) => vote(scores)),
  { minLength: 1, maxLength: 9 },
);
const anyCriteria = fc.tuple(score, score, score).map(([a, b, c]) => [
  { name: 'a', weight: a },
  { name: 'b', weight: b },
  { name: 'c', weight: c },
]);
const anyAggregation = fc.constantFrom('median', 'mean', 'trimmed_mean');

describe('aggregateKVotes', () => {
  it('test_aggregate_single_vote_pass: one vote at the threshold is enough', () => {
    expect(aggregateKVotes(votesOf(0.9), one, 0.8)).toEqual({
      overallScore: 0.9,
      passed: true,
      perCriterion: [{ name: 'a', medianScore: 0.9, allScores: [0.9], weight: 1 }],
    });
    expect(aggregateKVotes(votesOf(0.8), one, 0.8).passed).toBe(true);
  });

  it('test_aggregate_single_vote_fail: below the threshold', () => {
    expect(aggregateKVotes(votesOf(0.79), one, 0.8)).toMatchObject({ overallScore: 0.79, passed: false });
  });

  it('test_aggregate_three_votes_majority_pass: two of three', () => {
    expect(aggregateKVotes(votesOf(0.9, 0.2, 0.85), one, 0.8).passed).toBe(true);
  });

  it('test_aggregate_three_votes_majority_fail: one of three', () => {
    expect(aggregateKVotes(votesOf(0.9, 0.2, 0.7), one, 0.8).passed).toBe(false);
  });

  it('does not pass when as many votes pass as fail', () => {
    expect(aggregateKVotes(votesOf(1, 1, 0, 0), one, 0.5)).toMatchObject({ overallScore: 0.5, passed: false });
  });

  it('test_aggregate_median_robust_to_outlier: 0.8, 0.8 and 0.1 are 0.8', () => {
    expect(aggregateKVotes(votesOf(0.8, 0.1, 0.8), one, 0.8)).toMatchObject({ overallScore: 0.8, passed: true });
  });

  it('test_aggregate_weighted_criteria: the weighted mean of the medians', () => {
    expect(aggregateKVotes([vote({ a: 1, b: 0.5 })], two, 0.8)).toEqual({
      overallScore: 0.875,
      passed: true,
      perCriterion: [
        { name: 'a', medianScore: 1, allScores: [1], weight: 3 },
        { name: 'b', medianScore: 0.5, allScores: [0.5], weight: 1 },
      ],
    });
  });

  it('test_aggregate_empty_results: no votes are no score and no verdict', () => {
    expect(aggregateKVotes([], two, 0)).toEqual({ overallScore: 0, passed: false, perCriterion: [] });
  });

  it('test_aggregate_missing_criterion_scores: count 0 in the vote that lacks them, and in the median', () => {
    const votes = [vote({ a: 1, b: 0.8 }), vote({ a: 1 }), vote({ a: 1 })];
    expect(aggregateKVotes(votes, two, 0.8)).toEqual({
      overallScore: 0.75,
      passed: false,
      perCriterion: [
        { name: 'a', medianScore: 1, allScores: [1, 1, 1], weight: 3 },
        { name: 'b', medianScore: 0, allScores: [0.8, 0, 0], weight: 1 },
      ],
    });
    expect(aggregateKVotes([vote({ a: 1 })], two, 0.8).perCriterion[1]).toEqual({
      name: 'b',
      medianScore: 0,
      allScores: [0],
      weight: 1,
    });
  });

  it('counts a score that was left out as 0 in every aggregation', () => {
    const votes = [vote({ a: 0.9 }), {}, vote({ a: 0.6 }), vote({ a: 0.3 })];
    const scoreBy = (aggregation: 'median' | 'mean' | 'trimmed_mean') =>
      aggregateKVotes(votes, one, 0.5, { aggregation }).overallScore;
    expect(scoreBy('median')).toBeCloseTo(0.45);
    expect(scoreBy('mean')).toBeCloseTo(0.45);
    expect(scoreBy('trimmed_mean')).toBeCloseTo(0.45);
    expect(aggregateKVotes([vote({ a: 1 }), {}, {}], one, 0.5)).toMatchObject({ overallScore: 0, passed: false });
  });

  it('gives a vote that left a criterion out and one that scored it 0 the same weight', () => {
    const anyVote = fc.dictionary(fc.constantFrom('a', 'b'), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(anyVote, { minLength: 1, maxLength: 7 }),
        fc.constantFrom('median' as const, 'mean' as const, 'trimmed_mean' as const),
        (scores, aggregation) => {
          const filled = scores.map((given) => vote({ a: 0, b: 0, ...given }));
          expect(aggregateKVotes(scores.map(vote), two, 0.5, { aggregation })).toEqual(
            aggregateKVotes(filled, two, 0.5, { aggregation }),
          );
        },
      ),
    );
  });

  it('test_aggregate_zero_weight_guard: without weight there is no score and no verdict, even at threshold 0', () => {
    const weightless = two.map((criterion) => ({ ...criterion, weight: 0 }));
    expect(aggregateKVotes([vote({ a: 1, b: 1 })], weightless, 0)).toEqual({
      overallScore: 0,
      passed: false,
      perCriterion: [
        { name: 'a', medianScore: 1, allScores: [1], weight: 0 },
        { name: 'b', medianScore: 1, allScores: [1], weight: 0 },
      ],
    });
  });

  it('does not fail a vote by the last bit of a sum', () => {
    const criteria = [0.1, 0.7, 0.2].map((weight, index) => ({ name: `c${index}`, weight }));
    expect(aggregateKVotes([vote({ c0: 1, c1: 1, c2: 0 })], criteria, 0.8).passed).toBe(true);
  });

  it('handles weights of any size', () => {
    const heavy = [
      { name: 'a', weight: 1e308 },
      { name: 'b', weight: 1e308 },
    ];
    expect(aggregateKVotes([vote({ a: 1, b: 0 })], heavy, 0.5)).toMatchObject({ overallScore: 0.5, passed: true });
  });

  it('counts everything in a vote that is not a score as left out', () => {
    const votes = [vote({ a: Number.NaN }), vote({ a: 7 }), vote({ a: -1 })];
    expect(aggregateKVotes(votes, one, 0.5).perCriterion[0]?.allScores).toEqual([0, 1, 0]);
    expect(aggregateKVotes([{}], [{ name: 'constructor', weight: 1 }], 0.5).perCriterion[0]?.allScores).toEqual([0]);
  });

  it.each([
    ['median', 0.8],
    ['mean', 0.6],
    ['trimmed_mean', 2 / 3],
  ] as const)('with %s gives another score, but the same verdict', (aggregation, expected) => {
    const result = aggregateKVotes(votesOf(0.1, 0.8, 0.8, 0.9, 0.4), one, 0.8, { aggregation });
    expect(result.overallScore).toBeCloseTo(expected, 12);
    expect(result.passed).toBe(true);
    expect(result.perCriterion[0]?.medianScore).toBe(0.8);
  });

  it('lets votes count by their weights, in the score and in the verdict', () => {
    const votes = votesOf(1, 0, 0);
    expect(aggregateKVotes(votes, one, 0.5, { voteWeights: [3, 1, 1] })).toMatchObject({
      overallScore: 1,
      passed: true,
    });
    expect(aggregateKVotes(votes, one, 0.5, { voteWeights: [2, 1, 1] })).toMatchObject({
      overallScore: 0.5,
      passed: false,
    });
    expect(aggregateKVotes(votes, one, 0.5, { voteWeights: [3, 1, 1], aggregation: 'mean' }).overallScore).toBe(0.6);
    expect(aggregateKVotes(votes, one, 0.5, { voteWeights: [0, 0, 0] })).toMatchObject({
      overallScore: 0,
      passed: false,
    });
  });

  it('does not depend on the order of the votes', () => {
    const shuffled = anyVotes.chain((votes) =>
      fc.tuple(fc.constant(votes), fc.shuffledSubarray([...votes.keys()], { minLength: votes.length })),
    );
    fc.assert(
      fc.property(
        shuffled,
        anyCriteria,
        score,
        anyAggregation,
        fc.boolean(),
        ([votes, order], criteria, threshold, aggregation, weighted) => {
          const weights = weighted ? votes.map((_, index) => 1 + index / 10) : undefined;
          const pick = <T>(list: T[]): T[] => order.flatMap((index) => list.slice(index, index + 1));
          const one = aggregateKVotes(votes, criteria, threshold, { aggregation, voteWeights: weights });
          const other = aggregateKVotes(pick(votes), criteria, threshold, {
            aggregation,
            voteWeights: weights && pick(weights),
          });
          const sorted = ({ perCriterion }: typeof one) =>
            perCriterion.map((criterion) => ({ ...criterion, allScores: criterion.allScores.toSorted() }));
          expect(other.overallScore).toBe(one.overallScore);
          expect(other.passed).toBe(one.passed);
          expect(sorted(other)).toEqual(sorted(one));
        },
      ),
    );
  });

  it('is never moved outside two votes by a third', () => {
    fc.assert(
      fc.property(score, score, score, fc.integer({ min: 0, max: 2 }), (a, b, outlier, position) => {
        const { overallScore } = aggregateKVotes(votesOf(...[a, b].toSpliced(position, 0, outlier)), one, 0.5);
        expect(overallScore).toBeGreaterThanOrEqual(Math.min(a, b));
        expect(overallScore).toBeLessThanOrEqual(Math.max(a, b));
      }),
    );
  });

  it('is a score, whatever the votes', () => {
    fc.assert(
      fc.property(anyVotes, anyCriteria, score, anyAggregation, (votes, criteria, threshold, aggregation) => {
        const { overallScore } = aggregateKVotes(votes, criteria, threshold, { aggregation });
        expect(overallScore >= 0 && overallScore <= 1).toBe(true);
      }),
    );
  });

  it('agrees with the votes when they agree with each other', () => {
    fc.assert(
      fc.property(score, fc.integer({ min: 1, max: 9 }), anyAggregation, score, (a, k, aggregation, threshold) => {
        const votes = votesOf(...new Array<number>(k).fill(a));
        const result = aggregateKVotes(votes, one, threshold, { aggregation });
        expect(result.overallScore).toBe(a);
        expect(result.passed).toBe(aggregateKVotes(votesOf(a), one, threshold).passed);
      }),
    );
  });
});

describe('a vote on its own', () => {
  it('is the weighted mean of its scores, those it left out counting 0', () => {
    const outcomes = voteOutcomes([vote({ a: 1, b: 0.5 }), vote({ a: 1 }), {}], two, 0.8);
    expect(outcomes.map(({ score }) => score)).toEqual([0.875, 0.75, 0]);
    expect(voteOutcomes([vote({ a: 1 })], [{ name: 'a', weight: 0 }], 0)).toEqual([{ score: 0, passed: false }]);
  });

  it('passes at the threshold', () => {
    expect(voteOutcomes(votesOf(0.8, 0.7), one, 0.8)).toEqual([
      { score: 0.8, passed: true },
      { score: 0.7, passed: false },
    ]);
  });
});

describe('describeVotes', () => {
  it('gives the range of each criterion, and the reasoning of the vote nearest the score', () => {
    const votes = [vote({ a: 0.2, b: 1 }), vote({ a: 0.9 }), vote({ a: 0.8 })];
    expect(describeVotes(votes, two, 0.6, { passed: true }).perCriterion).toEqual([
      {
        name: 'a',
        score: 0.8,
        median_score: 0.8,
        all_scores: [0.2, 0.9, 0.8],
        weight: 3,
        range: [0.2, 0.9],
        reasoning: 'a is 0.8',
      },
      { name: 'b', score: 0, median_score: 0, all_scores: [1, 0, 0], weight: 1, range: [0, 1], reasoning: 'b is 1' },
    ]);
  });

  it('has the score by the chosen aggregation beside the median', () => {
    const { perCriterion } = describeVotes(votesOf(0, 0.75, 0.25), one, 0.5, { passed: false, aggregation: 'mean' });
    expect(perCriterion).toMatchObject([{ score: 1 / 3, median_score: 0.25, reasoning: 'a is 0.25' }]);
  });

  it('counts the votes that disagree with the verdict', () => {
    const votes = votesOf(0.9, 0.9, 0.1);
    expect(describeVotes(votes, one, 0.8, { passed: true }).dissentingVotes).toBe(1);
    expect(describeVotes(votes, one, 0.8, { passed: false }).dissentingVotes).toBe(2);
  });

  it('has the score 0, without a reason, of a criterion that no vote scored', () => {
    expect(describeVotes([vote({ a: 1 })], two, 0.8, { passed: false }).perCriterion[1]).toEqual({
      name: 'b',
      score: 0,
      median_score: 0,
      all_scores: [0],
      weight: 1,
      range: [0, 0],
      reasoning: null,
    });
  });

  it('skips a vote without a reason', () => {
    const votes = [{ a: { score: 0.5, reasoning: ' ' } }, vote({ a: 0.6 })];
    expect(describeVotes(votes, one, 0.8, { passed: false }).perCriterion[0]?.reasoning).toBe('a is 0.6');
  });
});

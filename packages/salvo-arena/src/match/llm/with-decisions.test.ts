import { describe, expect, it } from 'vitest';
import { tableMatcher } from '../../../test/match/table-matcher.ts';
import { explainPair } from '../candidates/matcher.ts';
import type { DecidedPair } from './decide-pairs.ts';
import { withDecisions } from './with-decisions.ts';

const decided = (finding: number, score: number, same: boolean | null): DecidedPair => ({
  pair: { vulnerability: 0, finding, score },
  same,
  opinions: [{ adapter: 'a', model: 'm', same, votes: 3, reasoning: '', error: null }],
  votes: [],
});
const matcher = withDecisions(
  tableMatcher([[0.3, 0.5, 0.6, 0.45, 0.35, 0.9]]),
  [
    decided(0, 0.3, true),
    decided(1, 0.5, true),
    decided(2, 0.6, false),
    decided(3, 0.45, null),
    decided(4, 0.35, null),
  ],
  0.4,
);
const scores = [0, 1, 2, 3, 4, 5].map((finding) => matcher.score(0, finding));

describe('a matcher that knows what models decided', () => {
  it('lifts the same flaw to the threshold, and lowers nothing', () => {
    expect(scores.slice(0, 2)).toEqual([0.4, 0.5]);
  });

  it('scores another flaw 0', () => {
    expect(scores[2]).toBe(0);
  });

  it('keeps the score of pairs that are undecided or were not asked about', () => {
    expect(scores.slice(3)).toEqual([0.45, 0.35, 0.9]);
  });

  it('finds candidates by these scores, also those that were below the floor before', () => {
    expect(Array.from(matcher.candidates(0.4).finding)).toEqual([0, 1, 3, 5]);
  });

  it('explains the points of the models, and the points still add up', () => {
    expect(explainPair(0.4, matcher.explain(0, 0))).toBe(
      '0.40: table 0.30 (as written), models 0.10 (the same flaw, said 1 of 1 model)',
    );
    expect(explainPair(0.45, matcher.explain(0, 3))).toContain('no points for models (undecided: 0 of 1 model');
    for (const [finding, score] of scores.entries()) {
      const points = matcher.explain(0, finding).reduce((sum, factor) => sum + factor.points, 0);
      expect(points).toBeCloseTo(score, 12);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { needsExactScores, sameForTrial } from './score-stakes.ts';

const judge = { weight: 1, required: false };
const check = (score: number, weight = 1) => {
  const plain = { assertion_type: 'jmespath', required: false, status: 'scored' as const };
  return { ...plain, score, passed: score === 1, weight };
};
const trial = { judge, otherJudges: [], known: [], threshold: 0.8, exactScore: false };

describe('scores have the same consequences', () => {
  it('when all of them pass the trial, or all fail it', () => {
    expect(sameForTrial({ lowest: 0.8, highest: 1 }, trial)).toBe(true);
    expect(sameForTrial({ lowest: 0, highest: 0.79 }, trial)).toBe(true);
    expect(sameForTrial({ lowest: 0.79, highest: 0.8 }, trial)).toBe(false);
  });

  it('when the other assertions decide', () => {
    const range = { lowest: 0, highest: 1 };
    expect(sameForTrial(range, { ...trial, known: [check(1, 4)] })).toBe(true);
    expect(sameForTrial(range, { ...trial, known: [check(0, 1)] })).toBe(true);
    expect(sameForTrial(range, { ...trial, known: [check(1, 1)] })).toBe(false);
    expect(sameForTrial(range, { ...trial, known: [{ ...check(0), required: true, weight: 0 }] })).toBe(true);
  });

  it('unless a low one fails the trial, and a high one leaves it unscored', () => {
    const unscored = { ...check(0), status: 'unscored' as const };
    const open = { ...trial, known: [unscored] };
    expect(sameForTrial({ lowest: 0.5, highest: 1 }, open)).toBe(false);
    expect(sameForTrial({ lowest: 0.6, highest: 1 }, open)).toBe(true);
    expect(sameForTrial({ lowest: 0, highest: 0.5 }, open)).toBe(true);
  });

  it('always without a threshold: only verdicts decide', () => {
    const free = { ...trial, threshold: undefined, known: [check(1)], otherJudges: [judge] };
    expect(sameForTrial({ lowest: 0, highest: 1 }, free)).toBe(true);
    expect(sameForTrial({ lowest: 0, highest: 1 }, { ...free, known: [check(0)] })).toBe(true);
    expect(sameForTrial({ lowest: 0, highest: 1 }, { ...free, exactScore: true })).toBe(false);
  });

  it('only whatever another judge may score', () => {
    const two = { ...trial, otherJudges: [judge] };
    expect(sameForTrial({ lowest: 0.9, highest: 1 }, two)).toBe(false);
    expect(sameForTrial({ lowest: 0, highest: 0.5 }, two)).toBe(true);
    expect(sameForTrial({ lowest: 0.9, highest: 1 }, { ...two, threshold: 0.45 })).toBe(true);
  });

  it('only when there is one score left, where the exact score matters', () => {
    expect(sameForTrial({ lowest: 0.9, highest: 1 }, { ...trial, exactScore: true })).toBe(false);
    expect(sameForTrial({ lowest: 0.9, highest: 0.9 }, { ...trial, exactScore: true })).toBe(true);
  });
});

describe('a mean score has to reach something', () => {
  it('when any of the settings has a min_score, 0 included', () => {
    expect(needsExactScores({ min_score: null }, undefined, { min_score: 0 })).toBe(true);
    expect(needsExactScores({ min_score: null }, { min_score: undefined }, {}, null)).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { type ComparedVote, driftOutcome } from './drift-outcome.ts';

function votes(count: number, of: (index: number) => { earlier: number[]; now: number }, isDecision = false) {
  return Array.from({ length: count }, (_, index): ComparedVote => {
    return { isDecision, scores: of(index), probabilities: null };
  });
}

const outcome = (compared: ComparedVote[]) => driftOutcome(compared, seededRandom(1));

describe('votes', () => {
  test('that are all the same have not changed', () => {
    const found = outcome(votes(20, () => ({ earlier: [0.5, 0.5, 0.5], now: 0.5 })));
    expect(found).toMatchObject({ outcome: 'unchanged', p: 1, test: { shift: 0, change: 0 } });
  });

  test('that vary as they did before have not changed', () => {
    const found = outcome(votes(20, (index) => ({ earlier: [0.5, 0.75, 0.5], now: index % 3 === 0 ? 0.75 : 0.5 })));
    expect(found.outcome).toBe('unchanged');
  });

  test('that became stricter have changed', () => {
    const found = outcome(votes(20, () => ({ earlier: [0.75, 0.75, 0.5], now: 0.5 })));
    expect(found).toMatchObject({ outcome: 'changed', test: { change: expect.closeTo(0.17, 1) } });
    expect(found.test?.shift).toBeLessThan(-0.1);
  });

  test('that differ either way have changed, although their mean is the same', () => {
    const found = outcome(votes(20, (index) => ({ earlier: [0.5, 0.5, 0.5], now: index % 2 ? 0.25 : 0.75 })));
    expect(found).toMatchObject({ outcome: 'changed', test: { shift: 0, change: 0.25 } });
  });

  test('that moved by next to nothing have not, however certain that is', () => {
    expect(outcome(votes(20, () => ({ earlier: [0.5, 0.5, 0.5], now: 0.51 }))).outcome).toBe('unchanged');
  });

  test('that are too few to ever show a change are not checked', () => {
    const found = outcome(votes(5, () => ({ earlier: [0.5], now: 1 })));
    expect(found).toEqual({ outcome: 'unchecked', why: 'its anchors have too few votes to tell' });
  });
});

describe('decisions', () => {
  test('may differ as much as machines round', () => {
    expect(outcome(votes(20, () => ({ earlier: [0.5], now: 0.53 }), true))).toMatchObject({
      outcome: 'unchanged',
      p: null,
    });
  });

  test('have changed if a single one differs by more', () => {
    const compared = votes(20, (index) => ({ earlier: [0.5], now: index === 7 ? 0.57 : 0.5 }), true);
    expect(outcome(compared).outcome).toBe('changed');
  });

  test('of a model that varied in its calibration may vary as much again', () => {
    const compared = votes(20, (index) => ({ earlier: [0.5, 0.54], now: index === 7 ? 0.59 : 0.5 }), true);
    expect(outcome(compared).outcome).toBe('unchanged');
  });

  test('have changed if only their probabilities have', () => {
    const [first, ...rest] = votes(20, () => ({ earlier: [0.5], now: 0.5 }), true);
    const compared = first ? [{ ...first, probabilities: { earlier: [0.9], now: 0.7 } }, ...rest] : rest;
    expect(outcome(compared).outcome).toBe('changed');
  });
});

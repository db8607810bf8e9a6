import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrationMetrics } from './calibration-metrics.ts';

/** How often the votes on an item differ, for the votes on each item. */
function flipRate(verdicts: readonly boolean[][]): number | null {
  const unlabelled = { human: { passed: null, score: null }, judge: { passed: true, score: 1 } };
  const comparisons = verdicts.map((votes) => ({ ...unlabelled, votes: [votes] }));
  return calibrationMetrics(comparisons, { threshold: 0.5, random: () => 0.5 }).vote_flip_rate;
}

describe('the flip rate of votes', () => {
  it('is the share of pairs of verdicts that differ', () => {
    expect(flipRate([[true, false]])).toBe(1);
    expect(flipRate([[true, true, false]])).toBeCloseTo(2 / 3, 12);
    expect(flipRate([[true, true, true]])).toBe(0);
  });

  it('counts every item once, however often it was judged, and not at all when it was judged once', () => {
    expect(flipRate([[true, false], [true, true, true, true, true], [false]])).toBe(0.5);
  });

  it('is unknown when nothing was judged twice', () => {
    expect(flipRate([])).toBeNull();
    expect(flipRate([[true], [], [false]])).toBeNull();
  });

  it('is the same when pass and fail change places, or votes their order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.boolean())), (verdicts) => {
        const rate = flipRate(verdicts);
        expect(flipRate(verdicts.map((item) => item.map((verdict) => !verdict)))).toBe(rate);
        expect(flipRate(verdicts.map((item) => item.toReversed()))).toBe(rate);
      }),
    );
  });
});

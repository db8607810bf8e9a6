import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { majorityFlipRate } from './majority-flip-rate.ts';

const passRate = fc.double({ min: 0.01, max: 0.99, noNaN: true });
/** How often two votes differ lies between never and as often as if all items were alike. */
const statistics = fc
  .tuple(passRate, fc.double({ min: 0.001, max: 1, noNaN: true }))
  .map(([passes, share]) => ({ passRate: passes, flipRate: 2 * passes * (1 - passes) * share }));

describe('majorityFlipRate', () => {
  it('of a single vote is the flip rate itself', () => {
    fc.assert(
      fc.property(statistics, (votes) => {
        expect(majorityFlipRate({ ...votes, k: 1 })).toBeCloseTo(votes.flipRate, 10);
      }),
    );
  });

  it('is that of coins when every item is equally hard', () => {
    // A chance of 0.9: two single votes differ 0.18 of the time. The majority of three passes with
    // 0.9^3 + 3 * 0.9^2 * 0.1 = 0.972, so two of them differ 2 * 0.972 * 0.028 = 0.054432 of the time.
    expect(majorityFlipRate({ flipRate: 0.18, passRate: 0.9, k: 3 })).toBeCloseTo(0.054432, 12);
  });

  it('falls slowly when some items are a toss-up: chances spread evenly from 0 to 1', () => {
    // Evenly spread chances: two votes differ 1/3 of the time. For three votes, with m = p^2 (3 - 2p), the integral of
    // 2 m (1 - m) is 1 - 2 * 13/35 = 9/35.
    expect(majorityFlipRate({ flipRate: 1 / 3, passRate: 0.5, k: 3 })).toBeCloseTo(9 / 35, 12);
  });

  it('is a chance, does not grow with more votes, and is the same for failing as for passing', () => {
    fc.assert(
      fc.property(statistics, fc.integer({ min: 0, max: 9 }), (votes, half) => {
        const k = 2 * half + 1;
        const fewer = majorityFlipRate({ ...votes, k }) ?? Number.NaN;
        const more = majorityFlipRate({ ...votes, k: k + 2 }) ?? Number.NaN;
        expect(more).toBeLessThanOrEqual(fewer + 1e-9);
        expect(more).toBeGreaterThanOrEqual(0);
        expect(fewer).toBeLessThanOrEqual(1);
        expect(majorityFlipRate({ ...votes, passRate: 1 - votes.passRate, k })).toBeCloseTo(fewer, 8);
      }),
    );
  });
});

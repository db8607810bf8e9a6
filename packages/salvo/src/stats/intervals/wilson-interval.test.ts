import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

const rate = fc
  .integer({ min: 1, max: 1_000_000 })
  .chain((total) => fc.record({ total: fc.constant(total), passed: fc.integer({ min: 0, max: total }) }));

describe('wilsonInterval', () => {
  it('of no trials is unknown', () => {
    expect(wilsonInterval({ passed: 0, total: 0 })).toBeNull();
  });

  it.each([
    // From R: prop.test(x, n, correct = FALSE)$conf.int
    { passed: 8, total: 10, low: 0.4901625, high: 0.9433178 },
    { passed: 0, total: 10, low: 0, high: 0.2775328 },
    { passed: 10, total: 10, low: 0.7224672, high: 1 },
    { passed: 50, total: 100, low: 0.4038315, high: 0.5961685 },
    { passed: 1, total: 1, low: 0.2065493, high: 1 },
  ])('of $passed out of $total is $low to $high', ({ passed, total, low, high }) => {
    const interval = wilsonInterval({ passed, total });
    expect(interval?.[0]).toBeCloseTo(low, 6);
    expect(interval?.[1]).toBeCloseTo(high, 6);
  });

  it('is exactly 0 at the bottom when nothing passed and exactly 1 at the top when everything did', () => {
    expect(wilsonInterval({ passed: 0, total: 7 })?.[0]).toBe(0);
    expect(wilsonInterval({ passed: 7, total: 7 })?.[1]).toBe(1);
  });

  it('refuses numbers that are no rate', () => {
    expect(() => wilsonInterval({ passed: 2, total: 1 })).toThrow(RangeError);
    expect(() => wilsonInterval({ passed: -1, total: 1 })).toThrow(RangeError);
    expect(() => wilsonInterval({ passed: Number.NaN, total: 1 })).toThrow(RangeError);
  });

  it('lies within 0 and 1 and holds the rate itself', () => {
    fc.assert(
      fc.property(rate, ({ passed, total }) => {
        const [low, high] = wilsonInterval({ passed, total }) ?? [Number.NaN, Number.NaN];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(passed / total);
        expect(high).toBeGreaterThanOrEqual(passed / total);
      }),
    );
  });

  it('mirrors when passing and failing change places', () => {
    fc.assert(
      fc.property(rate, ({ passed, total }) => {
        const [low, high] = wilsonInterval({ passed, total }) ?? [0, 0];
        const [mirroredLow, mirroredHigh] = wilsonInterval({ passed: total - passed, total }) ?? [0, 0];
        expect(mirroredLow).toBeCloseTo(1 - high, 10);
        expect(mirroredHigh).toBeCloseTo(1 - low, 10);
      }),
    );
  });

  it('does not fall when one more passes, and narrows with more trials of the same rate', () => {
    fc.assert(
      fc.property(rate, ({ passed, total }) => {
        const [low, high] = wilsonInterval({ passed, total }) ?? [0, 0];
        const [tenfoldLow, tenfoldHigh] = wilsonInterval({ passed: passed * 10, total: total * 10 }) ?? [0, 0];
        expect(tenfoldHigh - tenfoldLow).toBeLessThan(high - low);
        fc.pre(passed < total);
        const [moreLow, moreHigh] = wilsonInterval({ passed: passed + 1, total }) ?? [0, 0];
        expect(moreLow).toBeGreaterThanOrEqual(low);
        expect(moreHigh).toBeGreaterThanOrEqual(high);
      }),
    );
  });
});

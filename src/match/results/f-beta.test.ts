import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fBeta } from './f-beta.ts';

const rate = fc.double({ min: 0, max: 1, noNaN: true });

describe('fBeta', () => {
  it('with a beta of 1 is the harmonic mean', () => {
    expect(fBeta(0.5, 1, 1)).toBeCloseTo(2 / 3, 12);
  });

  it('leans to recall above 1 and to precision below', () => {
    expect(fBeta(0.5, 1, 2)).toBeCloseTo(5 / 6, 12);
    expect(fBeta(0.5, 1, 0.5)).toBeCloseTo(5 / 9, 12);
  });

  it('is 0 when one of the two is 0, both included', () => {
    expect([fBeta(0, 1, 1), fBeta(1, 0, 2), fBeta(0, 0, 0.5)]).toEqual([0, 0, 0]);
  });

  it('lies between the two', () => {
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 0.1, max: 10, noNaN: true }), (precision, recall, beta) => {
        const value = fBeta(precision, recall, beta);
        expect(value).toBeGreaterThanOrEqual(Math.min(precision, recall) - 1e-9);
        expect(value).toBeLessThanOrEqual(Math.max(precision, recall) + 1e-9);
      }),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a beta of %s', (beta) => {
    expect(() => fBeta(0.5, 0.5, beta)).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from '../../stats/agreement/cohen-kappa.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { bestThreshold } from './best-threshold.ts';

/** Items that each stand for one trial, unless `weights` says otherwise. */
function best(options: { scores: number[]; passed: boolean[]; current: number; weights?: number[] }) {
  const items = options.scores.map((each, index) => ({
    score: each,
    passed: options.passed[index] === true,
    weight: options.weights?.[index] ?? 1,
  }));
  return bestThreshold({ items, current: options.current });
}

const score = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);
const items = fc.array(fc.tuple(score, fc.boolean()), { minLength: 2, maxLength: 30 });

describe('bestThreshold', () => {
  it('separates what people passed from what they failed, by a round number', () => {
    expect(best({ scores: [0.2, 0.5, 0.7, 0.9], passed: [false, false, true, true], current: 0.8 })).toEqual({
      threshold: 0.6,
      kappa: 1,
    });
    expect(best({ scores: [0.71, 0.73], passed: [false, true], current: 0.2 })?.threshold).toBe(0.72);
  });

  it('keeps the current threshold where another would do no better', () => {
    expect(best({ scores: [0.1, 0.9], passed: [false, true], current: 0.8 })?.threshold).toBe(0.8);
    expect(best({ scores: [0.5, 0.8], passed: [false, true], current: 0.8 })?.threshold).toBe(0.8);
  });

  it('prefers the nearer of two that agree equally well', () => {
    // By 0.9 one of two passes is missed, by 0.4 one of two failures is let through: kappa 0.5 either way.
    const tied = { scores: [0.1, 0.4, 0.6, 0.9], passed: [false, true, false, true] };
    expect(best({ ...tied, current: 0.8 })).toEqual({ threshold: 0.8, kappa: 0.5 });
    expect(best({ ...tied, current: 0.3 })).toEqual({ threshold: 0.3, kappa: 0.5 });
  });

  it('takes an item for as many trials as it stands for', () => {
    const tied = { scores: [0.1, 0.4, 0.6, 0.9], passed: [false, true, false, true], current: 0.8 };
    expect(best({ ...tied, weights: [1, 5, 1, 1] })?.threshold).toBe(0.3);
  });

  it('is unknown when no threshold can separate the items', () => {
    expect(best({ scores: [], passed: [], current: 0.8 })).toBeNull();
    expect(best({ scores: [0.1, 0.9], passed: [true, true], current: 0.8 })).toBeNull();
    expect(best({ scores: [0.5, 0.5], passed: [true, false], current: 0.8 })).toBeNull();
    expect(best({ scores: [0.8, 0.1 + 0.7], passed: [true, false], current: 0.8 })).toBeNull();
  });

  it('is never beaten by another threshold, and its kappa is the one it really has', () => {
    fc.assert(
      fc.property(items, score, (labelled, current) => {
        const scores = labelled.map(([each]) => each);
        const passed = labelled.map(([, each]) => each);
        const kappaAt = (threshold: number) =>
          cohenKappa(
            scores.map((each) => meetsThreshold(each, threshold)),
            passed,
          );
        const found = best({ scores, passed, current });
        fc.pre(found !== null);
        expect(kappaAt(found.threshold)).toBeCloseTo(found.kappa, 12);
        for (const each of scores.filter((other) => other > Math.min(...scores))) {
          expect(kappaAt(each) ?? -1).toBeLessThanOrEqual(found.kappa + 1e-12);
        }
        expect(found.threshold).toBeGreaterThanOrEqual(0);
        expect(found.threshold).toBeLessThanOrEqual(1);
      }),
    );
  });
});

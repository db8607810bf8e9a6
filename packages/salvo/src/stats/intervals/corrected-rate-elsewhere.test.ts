import { describe, expect, it } from 'vitest';
import { correctedRate } from './corrected-rate.ts';
import { correctedRateElsewhere, type GroupErrors } from './corrected-rate-elsewhere.ts';

const group = (sensitivity: [number, number], specificity: [number, number]): GroupErrors => ({
  sensitivity: { passed: sensitivity[0], total: sensitivity[1] },
  specificity: { passed: specificity[0], total: specificity[1] },
});
const observed = { passed: 35, total: 50 };
const alike = Array.from({ length: 6 }, () => group([18, 20], [9, 10]));
const width = (interval: readonly [number, number] | undefined) => (interval ? interval[1] - interval[0] : Number.NaN);

describe('correctedRateElsewhere', () => {
  it('has the estimate of all labels together', () => {
    const pooled = correctedRate({ observed, ...group([108, 120], [54, 60]) });
    expect(correctedRateElsewhere(observed, alike)?.rate).toBeCloseTo(pooled?.rate ?? Number.NaN, 12);
  });

  it('is wider than the interval of all labels together, and more so when groups differ', () => {
    const pooled = correctedRate({ observed, ...group([108, 120], [54, 60]) });
    const unlike = [...alike.slice(0, 4), group([12, 20], [8, 10]), group([20, 20], [10, 10])];
    const [same, different] = [alike, unlike].map((groups) =>
      width(correctedRateElsewhere(observed, groups)?.interval),
    );
    expect(same).toBeGreaterThan(width(pooled?.interval));
    expect(different).toBeGreaterThan(same ?? Number.NaN);
  });

  it('contains the estimate and stays between 0 and 1', () => {
    for (const passed of [0, 10, 25, 45, 50]) {
      const found = correctedRateElsewhere({ passed, total: 50 }, alike);
      expect(found?.interval[0]).toBeLessThanOrEqual(found?.rate ?? Number.NaN);
      expect(found?.interval[1]).toBeGreaterThanOrEqual(found?.rate ?? Number.NaN);
      expect(found?.interval[0]).toBeGreaterThanOrEqual(0);
      expect(found?.interval[1]).toBeLessThanOrEqual(1);
    }
  });

  it('of a judge that passed nothing rules no rate out when it passes nothing in some groups', () => {
    const blind = [...alike.slice(0, 4), group([0, 20], [10, 10]), group([2, 20], [10, 10])];
    expect(correctedRateElsewhere({ passed: 0, total: 50 }, blind)?.interval).toEqual([0, 1]);
  });

  it('is unknown with fewer than three groups of each kind, without trials, and for a judge that guesses', () => {
    expect(correctedRateElsewhere(observed, alike.slice(0, 2))).toBeNull();
    expect(correctedRateElsewhere(observed, [...alike.slice(0, 2), group([18, 20], [0, 0])])).toBeNull();
    expect(correctedRateElsewhere({ passed: 0, total: 0 }, alike)).toBeNull();
    expect(correctedRateElsewhere(observed, Array(4).fill(group([10, 20], [4, 10])))).toBeNull();
  });
});

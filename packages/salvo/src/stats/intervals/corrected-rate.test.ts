import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { type CountedRate, correctedRate } from './corrected-rate.ts';

const counted = fc
  .integer({ min: 1, max: 400 })
  .chain((total) => fc.record({ total: fc.constant(total), passed: fc.integer({ min: 0, max: total }) }));

describe('correctedRate', () => {
  it('corrects for the errors of the judge', () => {
    // (0.7 + 0.8 - 1) / (0.9 + 0.8 - 1) = 5/7. The interval by the formulas of Lang and Reiczigel, worked out apart.
    const corrected = correctedRate({
      observed: { passed: 70, total: 100 },
      sensitivity: { passed: 36, total: 40 },
      specificity: { passed: 16, total: 20 },
    });
    expect(corrected?.rate).toBeCloseTo(5 / 7, 12);
    expect(corrected?.interval[0]).toBeCloseTo(0.518725, 6);
    expect(corrected?.interval[1]).toBeCloseTo(0.896965, 6);
  });

  it('is about the observed rate for a judge that was never wrong', () => {
    const corrected = correctedRate({
      observed: { passed: 30, total: 40 },
      sensitivity: { passed: 5000, total: 5000 },
      specificity: { passed: 5000, total: 5000 },
    });
    expect(corrected?.rate).toBe(0.75);
    // Near Wilson's interval of 30 of 40: 0.598 to 0.858.
    expect(corrected?.interval[0]).toBeCloseTo(0.6, 1);
    expect(corrected?.interval[1]).toBeCloseTo(0.86, 1);
  });

  it('is unknown for a judge no better than chance, and without a count', () => {
    const observed = { passed: 5, total: 10 };
    const half = { passed: 5, total: 10 };
    const none = { passed: 0, total: 0 };
    const good = { passed: 9, total: 10 };
    expect(correctedRate({ observed, sensitivity: half, specificity: half })).toBeNull();
    expect(correctedRate({ observed, sensitivity: half, specificity: { passed: 4, total: 10 } })).toBeNull();
    expect(correctedRate({ observed: none, sensitivity: good, specificity: good })).toBeNull();
    expect(correctedRate({ observed, sensitivity: none, specificity: good })).toBeNull();
    expect(correctedRate({ observed, sensitivity: good, specificity: none })).toBeNull();
  });

  it('refuses numbers that are no rate', () => {
    const good = { passed: 9, total: 10 };
    expect(() => correctedRate({ observed: { passed: 2, total: 1 }, sensitivity: good, specificity: good })).toThrow(
      RangeError,
    );
  });

  it('lies within 0 and 1, inside its interval', () => {
    fc.assert(
      fc.property(counted, counted, counted, (observed, sensitivity, specificity) => {
        const corrected = correctedRate({ observed, sensitivity, specificity });
        fc.pre(corrected !== null);
        const [low, high] = corrected.interval;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(corrected.rate);
        expect(high).toBeGreaterThanOrEqual(corrected.rate);
      }),
    );
  });

  it('mirrors when passing and failing change places', () => {
    const turned = ({ passed, total }: CountedRate) => ({ passed: total - passed, total });
    fc.assert(
      fc.property(counted, counted, counted, (observed, sensitivity, specificity) => {
        const corrected = correctedRate({ observed, sensitivity, specificity });
        const other = correctedRate({ observed: turned(observed), sensitivity: specificity, specificity: sensitivity });
        fc.pre(corrected !== null && other !== null);
        expect(other.rate).toBeCloseTo(1 - corrected.rate, 9);
        expect(other.interval[0]).toBeCloseTo(1 - corrected.interval[1], 9);
      }),
    );
  });

  it.each([
    { truth: 0.3, sensitivity: 0.85, specificity: 0.8, labels: 30 },
    { truth: 0.9, sensitivity: 0.9, specificity: 0.7, labels: 15 },
    { truth: 0.5, sensitivity: 0.7, specificity: 0.7, labels: 50 },
    { truth: 1, sensitivity: 0.95, specificity: 0.9, labels: 20 },
  ])('its interval holds the truth at least 19 times in 20: $truth with $labels labels a class', (given) => {
    const random = seededRandom('coverage', given.truth);
    const draw = (chance: number, total: number): CountedRate => {
      let passed = 0;
      for (let each = 0; each < total; each += 1) passed += random() < chance ? 1 : 0;
      return { passed, total };
    };
    const observedRate = given.truth * given.sensitivity + (1 - given.truth) * (1 - given.specificity);
    const rounds = 1000;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      const corrected = correctedRate({
        observed: draw(observedRate, 100),
        sensitivity: draw(given.sensitivity, given.labels),
        specificity: draw(given.specificity, given.labels),
      });
      const [low, high] = corrected?.interval ?? [0, 1];
      held += low <= given.truth && given.truth <= high ? 1 : 0;
    }
    expect(held / rounds).toBeGreaterThan(0.94);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantile } from './mean.ts';
import { weightedMedian } from './weighted-mean.ts';

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('weightedMedian', () => {
  it('is unknown when nothing has weight', () => {
    expect(weightedMedian([])).toBeNull();
    expect(weightedMedian([{ value: 1, weight: 0 }])).toBeNull();
  });

  it('has half of the weight on either side', () => {
    const values = [
      { value: 1, weight: 1 },
      { value: 2, weight: 1 },
      { value: 9, weight: 3 },
    ];
    expect(weightedMedian(values)).toBe(9);
  });

  it('lies in the middle of two when the weights leave it open', () => {
    expect(
      weightedMedian([
        { value: 1, weight: 2 },
        { value: 2, weight: 1 },
        { value: 4, weight: 1 },
      ]),
    ).toBe(1.5);
    expect(
      weightedMedian([
        { value: 1, weight: 0.1 },
        { value: 2, weight: 0.2 },
        { value: 4, weight: 0.3 },
      ]),
    ).toBe(3);
  });

  it('is the ordinary median when all weigh the same', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.constantFrom(0.1, 1, 7), (values, weight) => {
        const median = weightedMedian(values.map((each) => ({ value: each, weight })));
        expect(median).toBeCloseTo(quantile(values, 0.5) ?? Number.NaN, 6);
      }),
    );
  });

  it('takes a whole weight for so many votes of weight 1', () => {
    const weighted = fc.array(fc.record({ value, weight: fc.integer({ min: 1, max: 5 }) }), { minLength: 1 });
    fc.assert(
      fc.property(weighted, (values) => {
        const repeated = values.flatMap((each) => new Array(each.weight).fill({ value: each.value, weight: 1 }));
        expect(weightedMedian(values)).toBe(weightedMedian(repeated));
      }),
    );
  });

  it('does not depend on the order', () => {
    const weighted = fc.array(fc.record({ value, weight: fc.double({ min: 0, max: 10, noNaN: true }) }));
    fc.assert(
      fc.property(weighted, (values) => {
        expect(weightedMedian(values.toReversed())).toBe(weightedMedian(values));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExactSum, exactSum } from './exact-sum.ts';

const finite = fc.double({ min: -1e12, max: 1e12, noNaN: true });

describe('exactSum', () => {
  it('of nothing is 0', () => {
    expect(exactSum([])).toBe(0);
  });

  it('rounds once, so that cents add up', () => {
    expect(exactSum([0.1, 0.2])).toBe(0.30000000000000004);
    expect(exactSum(Array(10).fill(0.1))).toBe(1);
    expect(exactSum([1e100, 1, -1e100])).toBe(1);
    expect(exactSum([1, 1e-16, 1e-16])).toBe(1.0000000000000002);
  });

  it('is the same to the last bit in any order', () => {
    fc.assert(
      fc.property(
        fc
          .array(finite, { maxLength: 50 })
          .chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length }))),
        ([values, shuffled]) => {
          expect(exactSum(shuffled)).toBe(exactSum(values));
        },
      ),
    );
  });

  it('stays as close to the true sum as integers allow us to check', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (values) => {
        expect(exactSum(values)).toBe(values.reduce((sum, value) => sum + value, 0));
      }),
    );
  });

  it('can be read while it grows', () => {
    const sum = createExactSum();
    expect(sum.value()).toBe(0);
    sum.add(0.5);
    expect(sum.value()).toBe(0.5);
    sum.add(0.25);
    expect(sum.value()).toBe(0.75);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageRanks } from './average-ranks.ts';

describe('averageRanks', () => {
  it('counts from 1, and gives equal values the mean of their places', () => {
    expect(averageRanks([30, 10, 20])).toEqual([3, 1, 2]);
    expect(averageRanks([5, 1, 5, 5, 0])).toEqual([4, 2, 4, 4, 1]);
    expect(averageRanks([7, 7])).toEqual([1.5, 1.5]);
    expect(averageRanks([])).toEqual([]);
  });

  it('always adds up to the same', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (values) => {
        const sum = averageRanks(values).reduce((total, rank) => total + rank, 0);
        expect(sum).toBe((values.length * (values.length + 1)) / 2);
      }),
    );
  });
});

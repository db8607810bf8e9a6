import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTrialList } from './trial-list.ts';

describe('createTrialList', () => {
  it('counts all and lists the twenty lowest, in any order of adding', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 })), (numbers) => {
        const list = createTrialList();
        for (const number of numbers) list.add({ case_index: 0, trial_number: number });
        const sorted = numbers.toSorted((a, b) => a - b);
        expect(list.count()).toBe(numbers.length);
        expect(list.keys()).toEqual(sorted.slice(0, 20));
        expect(list.first()).toBe(sorted[0] ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});

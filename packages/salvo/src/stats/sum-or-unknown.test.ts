import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRunningSum, sumOrUnknown } from './sum-or-unknown.ts';

test('known parts add up', () => {
  expect(sumOrUnknown([0.25, 0.5])).toBe(0.75);
  expect(sumOrUnknown([])).toBe(0);
});

test('one unknown part makes the sum unknown, wherever it is', () => {
  expect(sumOrUnknown([null, 1])).toBeNull();
  expect(sumOrUnknown([1, undefined])).toBeNull();
  expect(sumOrUnknown([null])).toBeNull();
});

test('the known parts can be asked for beside it', () => {
  const sum = createRunningSum();
  sum.add(1);
  expect([sum.total(), sum.known()]).toEqual([1, 1]);
  sum.add(null);
  sum.add(2);
  expect([sum.total(), sum.known()]).toEqual([null, 3]);
});

test('the order of the parts does not matter', () => {
  const costs = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(costs, (parts) => {
      expect(sumOrUnknown(parts.toReversed())).toBe(sumOrUnknown(parts));
    }),
  );
});

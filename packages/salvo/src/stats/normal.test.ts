import { expect, test } from 'vitest';
import { normalQuantile, normalTail } from './normal.ts';

test('tails and quantiles of the normal distribution are those of the tables', () => {
  expect(normalTail(0)).toBeCloseTo(0.5, 7);
  expect(normalTail(1.959964)).toBeCloseTo(0.025, 6);
  expect(normalTail(-1)).toBeCloseTo(0.8413447, 6);
  expect(normalQuantile(0.025)).toBeCloseTo(1.959964, 4);
  expect(normalQuantile(0.2)).toBeCloseTo(0.841621, 4);
  expect(() => normalQuantile(0)).toThrow(RangeError);
});

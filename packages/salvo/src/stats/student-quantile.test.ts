import { expect, it } from 'vitest';
import { studentQuantile } from './normal.ts';

it.each([
  [1, 12.7062],
  [2, 4.30265],
  [3, 3.18245],
  [4, 2.77645],
  [5, 2.57058],
  [9, 2.26216],
  [30, 2.04227],
  [1000, 1.96234],
])('has the point for %i degrees of freedom: %d', (freedom, expected) => {
  expect(Math.abs(studentQuantile(freedom) / expected - 1)).toBeLessThan(0.0015);
});

it.each([0, -1, 1.5, Number.NaN])('refuses %s degrees of freedom', (freedom) => {
  expect(() => studentQuantile(freedom)).toThrow(RangeError);
});

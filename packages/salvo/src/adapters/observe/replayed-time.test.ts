import { expect, it } from 'vitest';
import { timeUnderWay } from './replayed-time.ts';

it.each([
  ['no request', [], 0],
  ['one request', [[5, 8]], 3],
  [
    'requests after each other',
    [
      [0, 2],
      [3, 4],
    ],
    3,
  ],
  [
    'requests at the same time',
    [
      [0, 2],
      [0, 2],
    ],
    2,
  ],
  [
    'requests that overlap, in any order',
    [
      [3, 6],
      [0, 4],
      [1, 2],
    ],
    6,
  ],
] as [string, [number, number][], number][])('the time of %s', (_, pairs, time) => {
  expect(timeUnderWay(pairs.map(([start, end]) => ({ start, end })))).toBe(time);
});

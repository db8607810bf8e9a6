import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { howToWriteShare, readShare } from './share.ts';

describe('a share', () => {
  test.each([
    [0, 0],
    [1, 1],
    [0.8, 0.8],
    ['80%', 0.8],
    ['80 %', 0.8],
    ['0%', 0],
    ['100%', 1],
    ['100.0%', 1],
    ['99.5%', 0.995],
  ])('%j is %d', (value, share) => {
    expect(readShare(value)).toBeCloseTo(share, 12);
  });

  test.each([
    80,
    1.5,
    -0.1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '80',
    '0.8',
    '101%',
    '-1%',
    '%',
    '',
    '1e1%',
    null,
    [],
  ])('%j is refused', (value) => {
    expect(readShare(value)).toBeNull();
  });

  test.each([
    [80, 'write 0.8 or 80%'],
    ['80', 'write 0.8 or 80%'],
    ['0.8', 'write 0.8 or 80%'],
    [-1, 'write a number such as 0.8, or a percentage such as 80%'],
    ['', 'write a number such as 0.8, or a percentage such as 80%'],
    [null, 'write a number such as 0.8, or a percentage such as 80%'],
  ])('of %j says: %s', (value, advice) => {
    expect(howToWriteShare(value)).toBe(advice);
  });

  test('what is read is always from 0 to 1', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double(),
          fc.string(),
          fc.double().map((number) => `${number}%`),
        ),
        (value) => {
          const share = readShare(value);
          expect(share === null || (share >= 0 && share <= 1)).toBe(true);
        },
      ),
    );
  });
});

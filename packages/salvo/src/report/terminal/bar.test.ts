import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bar, sparkline } from './bar.ts';

test('a bar is as long as its share', () => {
  expect(bar(1, 4)).toBe('████');
  expect(bar(0.5, 4)).toBe('██  ');
  expect(bar(0.0001, 4)).toBe('▏   ');
  expect(bar(0, 4)).toBe('    ');
  expect(bar(Number.NaN, 2)).toBe('  ');
});

test('a bar always takes its whole width', () => {
  fc.assert(
    fc.property(fc.double(), fc.integer({ min: 1, max: 50 }), (share, width) => {
      expect(bar(share, width)).toHaveLength(width);
    }),
  );
});

test('only a full rate reaches the top of a sparkline', () => {
  expect(sparkline([0, 0.5, 0.999, 1, null])).toBe('▁▄▇█·');
});

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import measured from '../../vitest.measure.config.ts';

test('every file that is to be measured is there', () => {
  const patterns = measured.test?.include ?? [];
  expect(patterns.length).toBeGreaterThan(0);
  expect(patterns.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});

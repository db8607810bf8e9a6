import { expect, test } from 'vitest';
import { caseLabel, rowBeginning } from './case-label.ts';

test('a row without a name is called by its number and the beginning of its first text', () => {
  const row = { n: 3, tags: 'slow', question: ' Where is my order number 117, please?', status: 'late' };
  const beginning = rowBeginning(row, 16);
  expect(caseLabel('17', beginning ?? undefined)).toBe('17 "Where is my order numbe…"');
});

test('a name is enough, and a row without texts has only its number', () => {
  expect(rowBeginning({ name: 'late parcel', question: 'Where?' }, 0)).toBeNull();
  expect(rowBeginning({ a: 1, b: null, c: '  ' }, 0)).toBeNull();
  expect(caseLabel('1', undefined)).toBe('1');
});

import { expect, test } from 'vitest';
import { ERROR_CODES } from './error-codes.ts';

test('the list is sorted, and has each code once', () => {
  expect([...new Set(ERROR_CODES)].sort()).toEqual([...ERROR_CODES]);
});

test('the subject comes first, and then the problem', () => {
  const reversed = /^(?:UNKNOWN|AMBIGUOUS|INVALID|NO|NOT|NOTHING|MISSING|WRONG|UNREADABLE|CANNOT|SEVERAL|BAD)_/;
  // Stored trials have this code, and what reads them looks for it.
  expect(ERROR_CODES.filter((code) => reversed.test(code))).toEqual(['NO_ASSERTIONS']);
});

test('what is wrong with options has one code, whatever they are for', () => {
  expect(ERROR_CODES.filter((code) => /OPTIONS?\b|OPTIONS?_(?!MISSING)/.test(code))).toEqual(['OPTIONS_INVALID']);
});

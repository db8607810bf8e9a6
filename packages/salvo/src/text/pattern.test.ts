import { expect, test } from 'vitest';
import { SalvoError } from './errors/salvo-error.ts';
import { compilePattern } from './pattern.ts';

test('a pattern matches anywhere in the text', () => {
  expect(compilePattern('b+').test('abbc')).toBe(true);
  expect(compilePattern('^b').test('abbc')).toBe(false);
  expect(compilePattern('(?i)BB').test('abbc')).toBe(true);
  expect(compilePattern('\\u00e9').test('café')).toBe(true);
});

test('the patterns that make other engines hang do not', () => {
  expect(compilePattern('^(a+)+$').test(`${'a'.repeat(100_000)}b`)).toBe(false);
});

test.each([
  ['(?=a)', /lookaheads and lookbehinds/],
  ['(?<!a)b', /lookaheads and lookbehinds/],
  ['(a)\\1', /backreferences/],
  ['(?<n>a)\\k<n>', /backreferences/],
  ['a++', /possessive/],
  ['(', /missing closing \)/],
  ['a'.repeat(20_000), /longer than/],
  ['('.repeat(4000) + ')'.repeat(4000), /cannot be compiled/],
])('%j is refused, and the message says why', (pattern, reason) => {
  expect(() => compilePattern(pattern)).toThrow(SalvoError);
  expect(() => compilePattern(pattern)).toThrow(reason);
});

import { expect, it } from 'vitest';
import { expectedAssertion } from './expected-assertion.ts';

const READ: [string, unknown][] = [
  ['Paris', { type: 'output_equals', value: 'Paris', case_sensitive: true }],
  ['equals: Paris', { type: 'output_equals', value: 'Paris', case_sensitive: true }],
  ['not-equals: Rome', { type: 'output_not_equals', value: 'Rome', case_sensitive: true }],
  ['Note: this is a sentence', { type: 'output_equals', value: 'Note: this is a sentence', case_sensitive: true }],
  ['contains: Paris', { type: 'output_contains', value: 'Paris', case_sensitive: true }],
  ['icontains:paris', { type: 'output_contains', value: 'paris', case_sensitive: false }],
  ['not-icontains: rome', { type: 'output_not_contains', value: 'rome', case_sensitive: false }],
  ['contains-any: a, "b, c"', { type: 'output_contains_any', value: ['a', 'b, c'], case_sensitive: true }],
  ['contains-all: a,b', { type: 'output_contains', value: ['a', 'b'], case_sensitive: true }],
  ['starts-with: Dear', { type: 'output_starts_with', value: 'Dear', case_sensitive: true }],
  ['regex: ^\\d+$', { type: 'output_matches', pattern: '^\\d+$' }],
  ['not-regex: (?i)sorry', { type: 'output_not_matches', pattern: '(?i)sorry' }],
  ['similar(0.8): Hello', { type: 'output_similar', value: 'Hello', min: 0.8 }],
  ['similar: Hello', { type: 'output_similar', value: 'Hello', min: 0.75 }],
  ['llm-rubric: is polite', { judge: 'is polite' }],
  ['grade: is polite', { judge: 'is polite' }],
  ['javascript: output.length < 5', { type: 'javascript', code: 'output.length < 5' }],
  ['fn: output === "a"', { type: 'javascript', code: 'output === "a"' }],
  ['word-count: 3', { type: 'output_length', unit: 'words', min: 3, max: 3 }],
  ['is-refusal', { type: 'is_refusal' }],
  ['not-is-refusal', { type: 'is_not_refusal' }],
];

it.each(READ)('reads %s', (cell, assertion) => {
  expect(expectedAssertion(cell)).toEqual({ assertion });
});

it('reads is-json as code that parses the answer', () => {
  expect(expectedAssertion('is-json')).toMatchObject({ assertion: { type: 'javascript' } });
  expect(expectedAssertion('not-is-json')).toMatchObject({
    assertion: { code: expect.stringContaining('return false') },
  });
});

it.each([
  ['contains:', '"contains" has no value'],
  ['contains-any: ,', '"contains-any" has no value'],
  ['similar(0.8):', '"similar" has no value'],
  ['moderation: x', '"moderation" is not read from a cell'],
  ['not-similar: x', '"not-similar" is not read from a cell'],
  ['file://check.js', 'names a file'],
  ['python: file://check.py', 'names a file'],
  ['is-json: {"type": "object"}', 'with a schema'],
  ['select-best: x', 'is not read from a cell'],
])('says why %s is no assertion', (cell, message) => {
  expect(expectedAssertion(cell)).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.any(String),
  });
});

it('reads a hostile cell in linear time', () => {
  const long = 100_000;
  for (const cell of ['a-'.repeat(long), `contains-any: ${'"'.repeat(long)}`, `${'not-'.repeat(long)}contains: x`]) {
    expect(expectedAssertion(cell)).toBeDefined();
  }
});

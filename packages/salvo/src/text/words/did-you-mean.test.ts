import { expect, test } from 'vitest';
import { didYouMean, suggestion } from './did-you-mean.ts';

const keys = ['prompt', 'system_prompt', 'max_turns', 'max_tokens', 'threshold', 'tools'];

test.each([
  ['promt', 'prompt'],
  ['thresold', 'threshold'],
  ['maxTurns', 'max_turns'],
  ['max-tokens', 'max_tokens'],
  ['system', 'system_prompt'],
  ['Tools', 'tools'],
  ['tool', 'tools'],
  ['tolos', 'tools'],
  ['turns', 'max_turns'],
])('%s was meant to be %s', (word, meant) => {
  expect(didYouMean(word, keys)).toBe(meant);
});

test('short words without a common letter are not near', () => {
  expect(didYouMean('x', ['b'])).toBeUndefined();
});

test.each(['weather', 'x', '', 'p'.repeat(1000)])('%s was meant to be none of them', (word) => {
  expect(didYouMean(word, keys)).toBeUndefined();
});

test.each([
  ['==', 'eq'],
  ['equals', 'eq'],
  ['greater_than', 'gt'],
  ['matches', 'regex'],
])('%s is what %s is called elsewhere', (word, meant) => {
  expect(didYouMean(word, ['eq', 'gt', 'regex'])).toBe(meant);
  expect(didYouMean(word, keys)).toBeUndefined();
});

test('without a guess the hint is the fallback', () => {
  expect(suggestion('promt', keys, 'any')).toBe('did you mean "prompt"?');
  expect(suggestion('weather', keys, 'any')).toBe('any');
});

test.each([
  ['not_contains', 'contains'],
  ['notcontains', 'contains'],
  ['notContains', 'contains'],
  ['not_exist', 'exists'],
  ['neq', 'eq'],
  ['output_not_contains', 'output_contains'],
  ['tool_called', 'tool_not_called'],
  ['max_recall', 'min_recall'],
  ['exclude', 'include'],
  ['disable_cache', 'enable_cache'],
  ['unscored', 'scored'],
])('%s is never taken for its opposite, %s', (word, opposite) => {
  expect(didYouMean(word, [opposite])).toBeUndefined();
});

test.each([
  ['not_contain', 'not_contains'],
  ['notcontains', 'not_contains'],
  ['does_not_contain', 'not_contains'],
  ['excludes', 'not_contains'],
  ['not_matches', 'not_regex'],
  ['notexists', 'not_exists'],
  ['contians', 'contains'],
  ['!=', 'ne'],
  ['neq', 'ne'],
])('of a word and its opposite, %s is meant to be %s', (word, meant) => {
  expect(didYouMean(word, ['eq', 'ne', 'contains', 'not_contains', 'regex', 'not_regex', 'exists', 'not_exists'])).toBe(
    meant,
  );
});

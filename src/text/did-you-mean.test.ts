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

import { expect, test } from 'vitest';
import { answeringModel } from './answering-model.ts';

test.each([
  ['gpt-4o-mini', 'gpt-4o-mini'],
  ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
  ['gpt-4', 'gpt-4-0613'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
  ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
  ['openai/gpt-4o', 'gpt-4o-2024-08-06'],
  ['models/gemini-2.0-flash', 'gemini-2.0-flash-001'],
  ['llama3', 'llama3:latest'],
])('%s is answered by %s, a version of it', (asked, answered) => {
  expect(answeringModel(asked, answered)).toBeUndefined();
});

test.each([
  ['gpt-4o-mini', 'gpt-5-pro'],
  ['gpt-4o', 'gpt-4o-mini-2024-07-18'],
  ['gpt-5', 'gpt-5.1'],
  ['llama3:8b', 'llama3:70b'],
  ['my-deployment', 'gpt-4o-2024-08-06'],
])('%s is not answered by %s', (asked, answered) => {
  expect(answeringModel(asked, answered)).toBe(answered);
});

test('a server that names no model says nothing about it', () => {
  for (const nothing of [undefined, null, '', ' ', 7, 'x'.repeat(201)])
    expect(answeringModel('gpt-4o', nothing)).toBeUndefined();
});

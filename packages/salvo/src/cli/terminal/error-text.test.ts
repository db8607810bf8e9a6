import { expect, test } from 'vitest';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { errorText, flagOf } from './error-text.ts';

test('the library names an option, and the command line its flag', () => {
  const error = new SalvoError('OPTIONS_INVALID', '{option:maxDrop} needs a baseline: give {option:against} as well.');
  expect(error.message).toBe('`maxDrop` needs a baseline: give `against` as well.');
  expect(errorText(error)).toBe('--max-drop needs a baseline: give --against as well.');
});

test.each([
  ['trials', '--trials'],
  ['budgetUsd', '--budget-usd'],
  ['k', '--votes'],
  ['workers.local', '--local-workers'],
])('the flag of %s is %s', (option, flag) => {
  expect(flagOf(option)).toBe(flag);
});

import { expect, test } from 'vitest';
import type { EvalResult } from './eval-result.ts';
import { namedFailure, tellingFailures } from './eval-result.ts';

function result(assertion_id: string, changes: Partial<EvalResult>): EvalResult {
  const plain = { assertion_type: 'jmespath', score: 0, passed: false, weight: 1, required: false } as const;
  return { ...plain, assertion_id, status: 'scored', details: '', metadata: {}, ...changes };
}

test('what decided a trial comes before what was only shown', () => {
  const results = [
    result('shown', { weight: 0 }),
    result('unknown', { status: 'unscored' }),
    result('passed', { passed: true, score: 1 }),
    result('counts', {}),
    result('required', { required: true }),
  ];
  const ids = (status: 'failed' | 'unscored') => tellingFailures(results, status).map((each) => each.assertion_id);
  expect(ids('failed')).toEqual(['required', 'counts', 'shown']);
  expect(ids('unscored')).toEqual(['unknown']);
});

test('the reason comes before the name, and a name that Salvo gave is left out', () => {
  const failure = { assertion_type: 'output_contains', details: 'the answer does not contain "late": got "no"' };
  expect(namedFailure({ ...failure, assertion_id: 'output_contains:"{{status}}"' })).toBe(failure.details);
  expect(namedFailure({ ...failure, assertion_id: 'says-it' })).toBe(`${failure.details} (says-it)`);
  expect(namedFailure({ ...failure, assertion_id: '' })).toBe(failure.details);
});

test('a custom check is named, because its details are the words of the project', () => {
  const failure = { assertion_type: 'custom', assertion_id: 'custom:./polite.ts', details: 'too short' };
  expect(namedFailure(failure)).toBe('too short (custom:./polite.ts)');
});

import { expect, test } from 'vitest';
import type { EvalResult } from './eval-result.ts';
import { namedFailure, tellingFailures } from './named-failure.ts';

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

test('an id is left out where the details say the same', () => {
  const path = 'response.content regex "done"';
  expect(namedFailure({ assertion_id: `jmespath:${path}`, details: `${path}: got "no"` })).toBe(`${path}: got "no"`);
  expect(namedFailure({ assertion_id: 'polite', details: 'got "no"' })).toBe('polite: got "no"');
  expect(namedFailure({ assertion_id: '', details: 'got "no"' })).toBe(': got "no"');
});

import { expect, test } from 'vitest';
import { namedFailure } from './named-failure.ts';

test('an id is left out where the details say the same', () => {
  const path = 'response.content regex "done"';
  expect(namedFailure({ assertion_id: `jmespath:${path}`, details: `${path}: got "no"` })).toBe(`${path}: got "no"`);
  expect(namedFailure({ assertion_id: 'polite', details: 'got "no"' })).toBe('polite: got "no"');
  expect(namedFailure({ assertion_id: '', details: 'got "no"' })).toBe(': got "no"');
});

import { expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from './diagnostic-codes.ts';

test('every code is in kebab-case and explained in a sentence', () => {
  for (const [code, explanation] of Object.entries(DIAGNOSTIC_CODES)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(explanation).toMatch(/^\S.{15,}\.$/);
  }
});

import { expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from './diagnostic.ts';

test.each(Object.entries(DIAGNOSTIC_CODES))(
  'the code %s is in kebab-case and explained in a sentence',
  (code, text) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(text).toMatch(/^\S.{15,}\.$/);
  },
);

import { expect, test } from 'vitest';
import { loadLexicon } from './lexicon.ts';
import { praises } from './praises.ts';

test.each([
  'S3 encryption is properly configured',
  'No issues found in the security group',
  'The volume is already encrypted',
])('%s: praise', (text) => {
  expect(praises(loadLexicon(), text)).toBe(true);
});

test.each([
  'S3 encryption is not properly configured',
  'Ensure that the bucket is properly configured',
  'Bucket is not encrypted',
  '',
])('%s: no praise', (text) => {
  expect(praises(loadLexicon(), text)).toBe(false);
});

import { describe, expect, it, test } from 'vitest';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { blameIn } from './blame-in.ts';

const lexicon = loadLexicon();

test.each([
  'S3 encryption is properly configured',
  'No issues found in the security group',
  'The volume is already encrypted',
  'The bucket uses SSE-KMS. Its encryption is properly configured.',
])('%s: praise', (text) => {
  expect(blameIn(lexicon, text)).toEqual({ text, praises: true });
});

test.each([
  'S3 encryption is not properly configured',
  'Ensure that the bucket is properly configured',
  'Bucket is not encrypted',
  'Although the bucket is not private, nobody knows its name',
  '',
])('%s: no praise', (text) => {
  expect(blameIn(lexicon, text)).toEqual({ text, praises: false });
});

describe('praise next to a flaw', () => {
  it.each([
    ['Although encryption is properly configured, logging is disabled', /encrypt/],
    ['Encryption is properly configured, however logging is not enabled.', /encrypt/i],
    ['While the bucket properly uses encryption, it has no logging', /encrypt/],
    ['Although backups, versioning and encryption are set, logging is missing.', /backup|version|encrypt/],
    ['Logging was removed. Backups remain enabled and encryption looks fine.', /backup|encrypt/i],
  ])('is not what %j is about', (text, praised) => {
    const { text: blamed, praises } = blameIn(lexicon, text);
    expect(praises).toBe(false);
    expect(blamed).toMatch(/logging/i);
    expect(blamed).not.toMatch(praised);
  });
});

import { expect, test } from 'vitest';
import { textsOfRules } from './rules.ts';

test('a rule of the catalogue speaks through the weakness that it reports', () => {
  expect(textsOfRules(['CKV_AWS_19']).join(' ')).toMatch(/encryption/i);
});

test('an id that is a sentence speaks for itself', () => {
  expect(textsOfRules(['gcp-acme-enable-frobnicator-logging'])).toEqual(['gcp-acme-enable-frobnicator-logging']);
});

test('other ids say nothing', () => {
  expect(textsOfRules(['CKV_ACME_1', 'CWE-311', '', '0'.repeat(100_000)])).toEqual([]);
});

import { expect, test } from 'vitest';
import { loadLexicon } from './lexicon.ts';
import { createServiceSpelling } from './service-spelling.ts';

const { phrases } = loadLexicon();

test.each([
  ['dynamdb', 'dynamodb'],
  ['cloudtrial', 'cloudtrail'],
  ['elasticcache', 'elasticache'],
  ['redshfit', 'redshift'],
  ['kinesys', 'kinesis'],
])('%s is %s', (word, name) => {
  expect(phrases.wordsOf(word)).toEqual([name]);
});

test.each(['sns', 'sqs', 'ses', 'ecs', 'ecr', 'ec2', 'rds', 'eks', 'aks', 'elb', 'frobnicator', 'firehouses'])(
  '%s stays as it is',
  (word) => {
    expect(phrases.wordsOf(word)).toEqual([word]);
  },
);

test('a word that is known, too far away, or near two names is not corrected', () => {
  const spelled = createServiceSpelling(['alphabet', 'alphabot', 'kinesis'], (word) => word === 'kinesia');
  expect(spelled('alphabit')).toBe('alphabit');
  expect(spelled('kinesia')).toBe('kinesia');
  expect(spelled('kinasys')).toBe('kinasys');
  expect(spelled('kinesi')).toBe('kinesis');
  expect(spelled('')).toBe('');
});

import { expect, test } from 'vitest';
import { stem } from '../../../../../salvo/src/text/words/words.ts';
import { createPhraseTable } from './phrase-table.ts';

function conceptsIn(table: ReturnType<typeof createPhraseTable>, text: string): (readonly number[])[] {
  const words = table.wordsOf(text);
  const stems = words.map(stem);
  const found: (readonly number[])[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = table.phraseAt(words, stems, at);
    if (phrase !== null) found.push(phrase.concepts);
    at += phrase?.length ?? 1;
  }
  return found;
}

test('a phrase is found however it is spelled', () => {
  const table = createPhraseTable({});
  table.add('flow log', 1);
  for (const text of ['flow log', 'Flow Logs', 'flow_log', 'FlowLogs', 'flowlogs']) {
    expect(conceptsIn(table, text), text).toEqual([[1]]);
  }
});

test('the longest phrase wins', () => {
  const table = createPhraseTable({});
  table.add('log', 1);
  table.add('activity log', 2);
  expect(conceptsIn(table, 'the activity log')).toEqual([[2]]);
});

test('a phrase does not consume the first word of a longer one', () => {
  const table = createPhraseTable({});
  table.add('cloudtrail log', 1);
  table.add('cloudtrail', 2);
  table.add('log file validation', 3);
  expect(conceptsIn(table, 'CloudTrail log file validation')).toEqual([[2], [3]]);
});

test('a word as written wins over words of the same stem', () => {
  const table = createPhraseTable({});
  table.add('version', 1);
  table.add('versioning', 2);
  expect(conceptsIn(table, 'versioning')).toEqual([[2]]);
  expect(conceptsIn(table, 'version')).toEqual([[1]]);
});

test('a phrase with = before it is found only as written', () => {
  const table = createPhraseTable({});
  table.add('=log bucket', 1);
  expect(conceptsIn(table, 'log bucket')).toEqual([[1]]);
  expect(conceptsIn(table, 'logging buckets')).toEqual([]);
});

test('a long word is no acronym, whatever its stem', () => {
  const table = createPhraseTable({});
  table.add('ses', 1);
  expect(conceptsIn(table, 'session')).toEqual([]);
});

test('abbreviations are written out on both sides', () => {
  const table = createPhraseTable({ sg: 'security group' });
  table.add('default sg', 1);
  expect(conceptsIn(table, 'default security group')).toEqual([[1]]);
  expect(conceptsIn(table, 'default_sg')).toEqual([[1]]);
});

test('a phrase may mean several concepts', () => {
  const table = createPhraseTable({});
  table.add('cmk', 1);
  table.add('CMK', 2);
  expect(conceptsIn(table, 'cmk')).toEqual([[1, 2]]);
});

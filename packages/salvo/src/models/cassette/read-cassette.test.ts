import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleCall, sampleContents, sampleRequest, sampleTrialOfCall } from '../../../../../test/sample-cassette.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { cassetteText } from './cassette-contents.ts';
import { trialKeyOf } from './cassette-document.ts';
import { parseCassette, readCassette } from './read-cassette.ts';

const FILE = 'c.jsonl';
const HEADER = '{"kind":"cassette","version":1}';
const TEXT = cassetteText(sampleContents());
const [, message = '', tool = '', turn = ''] = TEXT.split('\n');

const problemIn = (text: string): string => {
  try {
    parseCassette(text, FILE);
  } catch (error) {
    if (error instanceof SalvoError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
};

test('what is written is read as it was, and written the same again', () => {
  const read = parseCassette(TEXT, FILE);
  expect(cassetteText(read)).toBe(TEXT);
  expect([...read.values()].map(({ of, calls }) => [of.trial, calls.length])).toEqual([
    [1, 3],
    [2, 1],
  ]);
});

test('the order of the file does not depend on when answers came', () => {
  const late = new Map([...sampleContents()].reverse());
  for (const trial of late.values()) {
    const judges = trial.calls.filter(({ caller }) => caller.by === 'judge').reverse();
    trial.calls = [...judges, ...trial.calls.filter(({ caller }) => caller.by === 'agent')];
  }
  expect(cassetteText(late)).toBe(TEXT);
});

test('a message that many requests have is written once', () => {
  const parts = TEXT.split('\n').filter((line) => line.includes('"kind":"part"'));
  expect(parts).toHaveLength(new Set(parts).size);
});

describe('names the line of', () => {
  const changed = (from: string, to: string) => [HEADER, message, tool, turn.replace(from, to), ''].join('\n');
  test.each([
    ['an empty file', '', 1, 'empty'],
    ['a file of one line break', '\n', 1, 'no JSON'],
    ['something else', 'a: 1\n', 1, 'no JSON'],
    ['a JSON that is no cassette', '[]\n', 1, 'begins with'],
    ['an old version', '{"kind":"cassette","version":0}\n', 1, 'version 0'],
    ['a newer version', '{"kind":"cassette","version":9}\n', 1, 'newer Salvo'],
    ['a line that was cut off', `${HEADER}\n${message.slice(0, 40)}\n`, 2, 'no JSON'],
    ['a file without its end', `${HEADER}\n${message}`, 2, 'cut off'],
    ['a merge conflict', `${HEADER}\n<<<<<<< ours\n`, 2, 'no JSON'],
    ['another kind of line', `${HEADER}\n{"kind":"tape"}\n`, 2, 'kind'],
    ['a message that was changed', `${HEADER}\n${message.replace('Hello', 'Bye')}\n`, 2, 'does not match its id'],
    ['a call before its messages', `${HEADER}\n${turn}\n`, 2, 'not in the lines before'],
    ['the same call twice', [HEADER, message, tool, turn, turn, ''].join('\n'), 5, 'twice'],
    ['a call without an answer', changed('"answer":', '"answers":'), 4, 'answers'],
    ['a wrong type', changed('"trial":1', '"trial":"1"'), 4, 'trial'],
    ['a time below zero', changed('"latency_seconds":0.5', '"latency_seconds":-1'), 4, 'latency_seconds'],
    ['a number that is none', changed('"cost_usd":0.01', '"cost_usd":1e999'), 4, 'cost_usd'],
    ['deep nesting', `${HEADER}\n${'['.repeat(100_000)}\n`, 2, 'nested too deeply'],
    [
      'deep nesting in a message',
      `${HEADER}\n{"kind":"part","id":"x","value":${'['.repeat(5000)}${']'.repeat(5000)}}\n`,
      2,
      'nested',
    ],
    ['a hostile key', `${HEADER}\n{"__proto__":{"kind":"part"},"constructor":1}\n`, 2, ''],
  ])('%s', (_, text, line, words) => {
    const problem = problemIn(text);
    expect(problem).toContain(`CASSETTE_INVALID ${FILE}:${line}: `);
    expect(problem).toContain(words);
  });
});

describe('requests of an observed agent', () => {
  const of = sampleTrialOfCall();
  const http = { status: 200, content_type: 'text/event-stream', text: 'data: {}\n\n' };
  const calls = ['Hello', 'Bye'].map((said) => sampleCall({ request: sampleRequest(said), answer: undefined, http }));
  const textOf = (list: typeof calls) => cassetteText(new Map([[trialKeyOf(of), { of, calls: list }]]));
  const text = textOf(calls);

  test('are read as they were written, in an order that does not depend on when answers came', () => {
    expect(cassetteText(parseCassette(text, FILE))).toBe(text);
    expect(textOf(calls.toReversed())).toBe(text);
    expect(text.match(/"kind":"exchange"/g)).toHaveLength(2);
  });

  test('may be none: the trial is there all the same', () => {
    const none = textOf([]);
    expect(parseCassette(none, FILE).get(trialKeyOf(of))).toEqual({ of, calls: [] });
    expect(cassetteText(parseCassette(none, FILE))).toBe(none);
    expect(problemIn(none.replace('"trial":1', '"trial":-1'))).toContain('CASSETTE_INVALID c.jsonl:2: trial');
  });

  test.each([
    ['"status":200', '"status":99'],
    ['"status":200', '"status":"200"'],
    ['"http":', '"answer":'],
    ['"http":', '"answer":{},"http":'],
    ['"text":"', '"text":null,"texts":"'],
    ['"content_type"', '"__proto__"'],
    ['"latency_seconds"', '"started_seconds":-1,"latency_seconds"'],
    ['"content_type"', '"broken_off":false,"content_type"'],
  ])('are refused with their line if %s is %s', (from, to) => {
    expect(problemIn(text.replace(from, to))).toMatch(/^CASSETTE_INVALID c\.jsonl:4: /);
  });
});

test.each([
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from(`${HEADER}\n{"kind":"`), Buffer.from([0xff, 0x0a])]), 2],
  ['a character that was cut', Buffer.concat([Buffer.from(TEXT), Buffer.from([0xe2, 0x82])]), TEXT.split('\n').length],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}\n`, 'utf16le'), 1],
])('a file with %s is refused with the line', async (_, bytes, line) => {
  const file = join(temporaryFolder(), 'c.jsonl');
  await writeFile(file, bytes);
  await expect(readCassette(file)).rejects.toMatchObject({
    code: 'CASSETTE_INVALID',
    message: expect.stringContaining(`c.jsonl:${line}: `),
  });
});

test('a file with line ends of Windows and a byte order mark is read', async () => {
  const file = join(temporaryFolder(), 'c.jsonl');
  await writeFile(file, `\ufeff${TEXT.replaceAll('\n', '\r\n')}`);
  expect(cassetteText((await readCassette(file)) ?? new Map())).toBe(TEXT);
});

test('every beginning of a file is refused, unless it ends after a whole call', () => {
  for (let length = 0; length < TEXT.length; length += 1) {
    const part = TEXT.slice(0, length);
    const problem = problemIn(part);
    if (part.endsWith('\n')) expect(problem).toBe('none');
    else expect(problem).toMatch(/^CASSETTE_INVALID c\.jsonl:\d+: /);
  }
});

test('no file breaks the reader, whatever was changed in it', () => {
  const place = fc.nat(TEXT.length - 1);
  fc.assert(
    fc.property(place, fc.string({ maxLength: 5 }), place, (at, inserted, length) => {
      const text = TEXT.slice(0, at) + inserted + TEXT.slice(at + (length % 7));
      expect(problemIn(text)).toMatch(/^(none|CASSETTE_INVALID c\.jsonl:\d+: )/);
    }),
  );
});

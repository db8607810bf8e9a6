import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { FileRecord, ImportFormat } from './import-format.ts';
import { openSource } from './input/byte-source.ts';
import { readFile } from './read-file.ts';

const chat = (text: string) => ({
  messages: [
    { role: 'user', content: text },
    { role: 'assistant', content: `${text}!` },
  ],
});
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

/** The answers of the conversations that are read, and what was lost, by line. */
async function read(
  content: string | Buffer,
  { name = 'a.jsonl', format = null }: { name?: string; format?: ImportFormat | null } = {},
) {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  await using source = await openSource(file, { name, input: Readable.from([]) });
  const opened = await readFile(source, format);
  const answers: (string | null)[] = [];
  const lost: { line: number; problem: string }[] = [];
  for await (const item of opened.items) {
    if ('lost' in item) lost.push(item.lost);
    else answers.push(item.conversation.trace.final_content);
  }
  return { format: opened.format?.name, answers, lost };
}

describe('the same conversations are read', () => {
  const values = [chat('a'), chat('b'), chat('c')];
  it.each([
    ['from lines', lines(...values)],
    [
      'from lines with blank ones, CRLF and a byte order mark',
      `\uFEFF${lines(...values).replaceAll('\n', '\r\n\r\n')}\r\n`,
    ],
    ['from a list', JSON.stringify(values)],
    ['from a list over many lines', `\uFEFF${JSON.stringify(values, null, 2)}\n`],
    ['from documents that follow each other', values.map((value) => JSON.stringify(value, null, 2)).join('\n')],
    ['from a page of a list', JSON.stringify({ data: values, next: null })],
    ['from packed lines', gzipSync(lines(...values))],
    ['from a packed list', gzipSync(JSON.stringify(values, null, 1))],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({ format: 'conversation', answers: ['a!', 'b!', 'c!'], lost: [] });
  });
});

it('reads a list of messages, and a file with a message on each line, as one conversation', async () => {
  const { messages } = chat('hello');
  expect((await read(JSON.stringify(messages))).answers).toEqual(['hello!']);
  expect((await read(lines(...messages))).answers).toEqual(['hello!']);
});

describe('what cannot be read is lost with its line, and the rest stays', () => {
  it.each([
    ['a truncated last line', `${lines(chat('a'), chat('b'))}\n{"messages": [{"ro`, 3, 'truncated'],
    ['a line that is no JSON', `${lines(chat('a'))}\nWARN: disk full\n${lines(chat('b'))}`, 2, 'not valid JSON'],
    ['zero bytes', `${lines(chat('a'))}\n\0\0\0\n${lines(chat('b'))}`, 2, 'zero bytes'],
    ['another form', lines(chat('a'), { level: 'info', text: 'x' }, chat('b')), 2, 'is no part of conversations'],
    ['a wrong type', lines(chat('a'), { messages: 7 }, chat('b')), 2, 'messages'],
    [
      'deep nesting',
      `${lines(chat('a'))}\n{"messages":${'['.repeat(5000)}${']'.repeat(5000)}}\n${lines(chat('b'))}`,
      2,
      'nested',
    ],
    ['a scalar', lines(chat('a'), 7, chat('b')), 2, 'a number'],
    ['no message', lines(chat('a'), { messages: [] }, chat('b')), 2, 'empty'],
  ])('%s', async (_, content, line, problem) => {
    const { answers, lost } = await read(content);
    expect(answers).toEqual(['a!', 'b!']);
    expect(lost).toMatchObject([{ line, problem: expect.stringContaining(problem) }]);
  });

  it('of packed data that ends too early', async () => {
    const packed = gzipSync(lines(...Array.from({ length: 2000 }, (_, index) => chat(`${index} ${Math.sin(index)}`))));
    const { answers, lost } = await read(packed.subarray(0, packed.length / 2));
    expect(answers.length).toBeGreaterThan(10);
    expect(lost.at(-1)?.problem).toContain('cannot be read to its end');
  });
});

it('reads numbers that Python writes and JSON does not have as unknown', async () => {
  const text = '{"messages": [{"role": "assistant", "content": "NaN, he said"}], "reward": NaN, "worst": -Infinity}';
  expect(await read(text)).toMatchObject({ answers: ['NaN, he said'], lost: [] });
});

it.each([
  ['', 'is empty'],
  ['hello', 'begins neither with a JSON object nor with a list'],
  ['\0\0\0\0', 'begins neither'],
  ['<xml/>', 'begins neither'],
])('refuses %j', async (content, problem) => {
  await expect(read(content)).rejects.toThrow(problem);
});

it('says what it found instead of a known form, and which are known', async () => {
  await expect(read('{"foo": 1}')).rejects.toThrow(
    /:1 is in no form .* it is an object with foo\. Known are: .*conversation/,
  );
});

it('never throws for a file that is cut anywhere', async () => {
  const whole = JSON.stringify([chat('a'), chat('b')], null, 1);
  for (let length = 1; length < whole.length; length += 7) {
    const { answers, lost } = await read(whole.slice(0, length));
    expect(answers.length + lost.length).toBeGreaterThan(0);
  }
});

describe('parts of traces', () => {
  const spans: ImportFormat = {
    name: 'spans',
    title: 'spans',
    unit: 'parts',
    recognises: () => true,
    *partsOf({ value, line }: FileRecord) {
      for (const part of Array.isArray(value) ? value : [value]) {
        if (typeof part?.trace !== 'string') throw new Error('it has no trace');
        yield { key: part.trace, part: { value: part, line } };
      }
    },
    *read(records) {
      const content = records.map(({ value, line }) => `${Object(value).text}@${line}`).join(' ');
      yield {
        ...{ line: records[0]?.line ?? 0, id: null, suite: null, case: null, trial: null, given: null },
        ...{ fields: {}, aside: {}, losses: [], trace: { final_content: content } as never },
      };
    },
  };
  const values = [
    { trace: 'x', text: 'x1' },
    [
      { trace: 'y', text: 'y1' },
      { trace: 'x', text: 'x2' },
      { trace: 'y', text: 'y2' },
    ],
    { other: true },
    { trace: 'x', text: 'x3' },
  ];
  it.each([
    ['lines', lines(...values)],
    ['packed lines', gzipSync(lines(...values))],
  ])('are joined wherever they are in %s', async (_, content) => {
    expect(await read(content, { format: spans })).toMatchObject({
      answers: ['x1@1 x2@2 x3@4', 'y1@2 y2@2'],
      lost: [{ line: 3, problem: expect.stringContaining('it has no trace') }],
    });
  });
});

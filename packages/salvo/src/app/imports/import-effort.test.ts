import { open } from 'node:fs/promises';
import { StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { openSource } from '../../imports/input/byte-source.ts';
import { importTraces } from './import-traces.ts';

const FEW = 50;
const MANY = 250;
const LAST = 'the last one';

function conversations(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const content = index === count - 1 ? LAST : 'done '.repeat(10);
    const messages = [
      { role: 'user', content: `Question ${index}. ${'Please. '.repeat(40)}` },
      { role: 'assistant', content },
    ];
    return JSON.stringify({ id: `c${index}`, case: `case ${index}`, passed: true, messages });
  });
  return `${rows.join('\n')}\n`;
}

/** How often the last record of the file is parsed. */
async function parsesOf(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  await work();
  const count = parse.mock.calls.filter(([text]) => text.includes(`"${LAST}"`) && text.includes('"messages"')).length;
  parse.mockRestore();
  return count;
}

it('parses each record once to look at it, and once more to store it', async () => {
  await using project = await projectFixture({ 'r.jsonl': conversations(MANY) });
  const options = { files: ['r.jsonl'], cwd: project.root, env: {} };
  expect(await parsesOf(() => importTraces({ ...options, dryRun: true }))).toBe(1);
  expect(await parsesOf(() => importTraces(options))).toBe(2);
});

async function statementsOf(count: number): Promise<number> {
  await using project = await projectFixture({ 'r.jsonl': conversations(count) });
  const methods = (['run', 'get', 'all'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  onTestFinished(() => methods.forEach((method) => void method.mockRestore()));
  await importTraces({ files: ['r.jsonl'], cwd: project.root, env: {} });
  const statements = methods.reduce((sum, method) => sum + method.mock.calls.length, 0);
  for (const method of methods) method.mockRestore();
  return statements;
}

it('takes at most five statements for each conversation', async () => {
  const few = await statementsOf(FEW);
  const many = await statementsOf(MANY);
  expect(many).toBeGreaterThan(few);
  expect((many - few) / (MANY - FEW)).toBeLessThanOrEqual(5);
});

it('reads parts that follow each other at once', async () => {
  const text = conversations(MANY);
  await using project = await projectFixture({ 'r.jsonl': text });
  await using source = await openSource(project.path('r.jsonl'), { name: 'r.jsonl', input: Readable.from([]) });
  await using handle = await open(project.path('r.jsonl'));
  const read = vi.spyOn(Object.getPrototypeOf(handle), 'read');
  onTestFinished(() => read.mockRestore());
  await using parts = await source.openParts();
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; offset += 500) {
    const expected = bytes.subarray(offset, offset + 500);
    expect((await parts.read(offset, expected.length)).equals(expected)).toBe(true);
  }
  expect(read.mock.calls.length).toBeLessThan(10);
  // Backwards, across the border of what was read, and longer than that.
  expect((await parts.read(7, 20)).equals(bytes.subarray(7, 27))).toBe(true);
  expect((await parts.read(0, bytes.length)).equals(bytes)).toBe(true);
  expect((await parts.read(bytes.length - 3, 10)).equals(bytes.subarray(-3))).toBe(true);
});

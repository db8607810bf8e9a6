import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedZip } from '../../../../../../test/stored-zip.ts';
import { temporaryFolder } from '../../../../../../test/temporary-folder.ts';
import { inspectFormat } from './inspect.ts';

const header = JSON.stringify({ version: 2, status: 'success', eval: { task: 'sums', model: 'maker/large' } });
const sample = (id: string, epoch: number) =>
  JSON.stringify({
    ...{ id, epoch, input: 'Hi', target: 'Hello', scores: { match: { value: 'C' } } },
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: `Hello ${epoch}` },
    ],
  });

/** What is read from an archive, and what was said in the end. */
async function readArchive(files: Record<string, string>) {
  const archive = storedZip(files);
  const path = join(temporaryFolder(), 'log.eval');
  writeFileSync(path, archive);
  const read = [];
  let problem: string | null = null;
  try {
    for await (const { suite, case: name, trial, trace } of inspectFormat.readBytes?.(path) ?? []) {
      read.push([suite, name, trial, trace.final_content]);
    }
  } catch (error) {
    problem = String(error);
  }
  return { isRecognised: inspectFormat.recognisesBytes?.(archive.subarray(0, 512)), read, problem };
}

describe('an .eval file of Inspect', () => {
  it('has a file for each sample, and one for what is said about all', async () => {
    const files = {
      '_journal/start.json': header,
      'samples/a_epoch_1.json': sample('a', 1),
      'samples/a_epoch_2.json': sample('a', 2),
      'summaries.json': '[]',
      'header.json': header,
    };
    expect(await readArchive(files)).toEqual({
      isRecognised: true,
      read: [
        ['sums', 'a', 1, 'Hello 1'],
        ['sums', 'a', 2, 'Hello 2'],
      ],
      problem: null,
    });
  });

  it('may not be finished', async () => {
    const { read } = await readArchive({ '_journal/start.json': header, 'samples/a_epoch_1.json': sample('a', 1) });
    expect(read).toEqual([['sums', 'a', 1, 'Hello 1']]);
  });

  it('is read as far as it can be, and the rest is said', async () => {
    const { read, problem } = await readArchive({
      'header.json': header,
      'samples/a_epoch_1.json': '{"id": ',
      'samples/b_epoch_1.json': '[]',
      'samples/c_epoch_1/sample.json': '{}',
      'samples/c_epoch_1/messages/0.json': '[]',
      'samples/d_epoch_1.json': sample('d', 1),
    });
    expect(read).toEqual([['sums', 'd', 1, 'Hello 1']]);
    expect(problem).toContain(
      'samples that could not be read (3): samples/a_epoch_1.json is JSON that is not complete',
    );
    expect(problem).toContain('samples/c_epoch_1/sample.json is in pieces');
  });

  it('is no other archive', async () => {
    expect((await readArchive({ 'word/document.xml': '<x/>' })).isRecognised).toBe(false);
    expect(
      [[], [0x50, 0x4b, 3, 4], [0x1f, 0x8b]].map((bytes) => inspectFormat.recognisesBytes?.(Uint8Array.from(bytes))),
    ).toEqual([false, false, false]);
    expect((await readArchive({ 'samples/../../x.json': sample('x', 1) })).read).toEqual([]);
  });
});

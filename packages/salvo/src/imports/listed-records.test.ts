import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openSource } from './input/byte-source.ts';
import { ListedElements } from './input/split-listed.ts';
import { listedFile } from './listed-records.ts';

const simulation = (id: string) => ({
  id,
  task_id: '1',
  termination_reason: 'user_stop',
  messages: [{ role: 'user', content: 'a "]}" \\ b' }],
});
const results = {
  info: { agent_info: { llm: 'm' }, note: ['simulations', { simulations: [1] }] },
  simulations: [simulation('a'), simulation('b')],
  after: { simulations: [5] },
};

/** The elements that are found if the text comes in pieces of this size. */
function elementsOf(text: string, size = 1 << 20, paths = ['simulations', 'results.results']) {
  const elements = new ListedElements(paths, 1000);
  const bytes = Buffer.from(text);
  const found = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...elements.push(bytes.subarray(at, at + size)));
  return [...found, ...elements.end()].map(({ piece, head }) =>
    'problem' in piece
      ? piece.problem
      : [piece.line, JSON.parse(piece.bytes.toString()), JSON.parse(head.bytes.toString())],
  );
}

async function listed(text: string, large = 0) {
  const path = join(temporaryFolder(), 'file.json');
  writeFileSync(path, text);
  await using source = await openSource(path, { name: 'file.json', input: Readable.from([]) });
  const file = await listedFile(source, { given: null, large });
  const records = [];
  for await (const record of file?.records ?? []) records.push('problem' in record ? record.problem : record);
  return { format: file?.format.name, records };
}

describe('the elements of a list in a document', () => {
  const { simulations, after, ...head } = results;

  it.each([1, 7, 64, 1 << 20])('are found in chunks of %i bytes, each with the document up to the list', (size) => {
    const empty = { ...head, simulations: [] };
    expect(elementsOf(JSON.stringify(results), size)).toEqual(simulations.map((each) => [1, each, empty]));
    expect(elementsOf(JSON.stringify(results, null, 1), size).map(([line]) => line)).toEqual([16, 27]);
  });

  it('are found in a list within an object, and in documents that follow each other', () => {
    const nested = JSON.stringify({ id: 1, results: { version: 3, results: [1, 'x', [2]], stats: {} } });
    const empty = { id: 1, results: { version: 3, results: [] } };
    const found = (line: number) => [1, 'x', [2]].map((each) => [line, each, empty]);
    expect(elementsOf(`${nested}\n${nested}\n`, 3)).toEqual([...found(1), ...found(2)]);
    expect(elementsOf(`${nested}\n{"other":1}\n`)).toEqual([...found(1), 'ends a document without results.results']);
  });

  it('are none of another document', () => {
    for (const text of [
      '',
      '{}',
      '[1]',
      '{"a": {"simulations": [1]}}',
      '{"simulations": {}}',
      `${'['.repeat(300)}`,
      '}{"simulations":[1]}',
    ]) {
      expect(elementsOf(text)).toEqual([]);
    }
  });

  it('are left out if they are too long, and the end of a file is missed', () => {
    expect(elementsOf(JSON.stringify({ simulations: ['x'.repeat(2000), 1] }))).toMatchObject([
      expect.stringContaining('is longer than'),
      [1, 1, { simulations: [] }],
    ]);
    const whole = JSON.stringify(results);
    for (const cut of [whole.indexOf('"b"'), whole.indexOf('"after"')]) {
      expect(elementsOf(whole.slice(0, cut)).at(-1)).toContain('it is truncated');
    }
  });
});

describe('a large document', () => {
  it('is given as records with one conversation each', async () => {
    const { format, records } = await listed(JSON.stringify(results));
    expect(format).toBe('tau2');
    expect(records).toMatchObject([
      { line: 1, value: { info: { agent_info: { llm: 'm' } }, simulations: [{ id: 'a' }] } },
      { line: 1, value: { simulations: [{ id: 'b' }] } },
    ]);
  });

  it('is read as a whole if it is not large, or in another format', async () => {
    expect((await listed(JSON.stringify(results), 1 << 20)).format).toBeUndefined();
    expect((await listed('{"simulations": [{"x": 1}]}')).format).toBeUndefined();
    expect((await listed('{"messages": []}')).format).toBeUndefined();
  });

  it('says what of it is no JSON', async () => {
    const text = JSON.stringify(results).replace('"id":"b"', '"id":b');
    expect((await listed(text)).records[1]).toContain('is not valid JSON');
  });
});

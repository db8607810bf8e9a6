import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../../test/temporary-folder.ts';
import type { Effect } from '../../../scenario/schema/tool-schema.ts';
import { createRedactor } from '../../../secrets/redactor.ts';
import type { ToolOutcome } from '../tool-source.ts';
import type { CassetteTool } from './cassette-call.ts';
import { readToolCassette } from './read-tool-cassette.ts';
import { ToolCassette } from './tool-cassette.ts';

const SECRET = 'hunter2hunter2';
const answer = (content: string): ToolOutcome => ({ content, is_error: false, problem: null });

function toolOf(name: string, effect?: Effect, key?: string[]): CassetteTool {
  return { name, effect, group: 'shop', key };
}

function fixture() {
  const file = join(temporaryFolder(), 'shop.cassette.yaml');
  const open = async (mode: 'record' | 'replay', ...tools: CassetteTool[]) => {
    const redactor = createRedactor({ customPatterns: [], secrets: [SECRET] });
    const shared = { mode, file, shown: 'shop.cassette.yaml', redactor, recordAgain: 'salvo run shop.yaml' };
    const cassette = new ToolCassette({ ...shared, contents: await readToolCassette(file) });
    for (const tool of tools) cassette.add(tool);
    return cassette;
  };
  return { open, written: () => readFile(file, 'utf8') };
}

type Call = [tool: CassetteTool, args: Record<string, unknown>];

/** The answers of one trial: `live` counts how often each call was made. */
async function recordTrial(cassette: ToolCassette, calls: Call[], live: (name: string) => ToolOutcome) {
  const trial = {};
  const answers: string[] = [];
  for (const [tool, args] of calls) {
    const call = cassette.identify(tool, args, trial);
    answers.push((await cassette.record(tool, call, async () => live(tool.name))).content);
  }
  return answers;
}

function replayTrial(cassette: ToolCassette, calls: Call[]): string[] {
  const trial = {};
  return calls.map(([tool, args]) => cassette.replay(tool, cassette.identify(tool, args, trial)).content);
}

describe('a recording', () => {
  test('makes a call once for all trials, and gives the same answers again', async () => {
    const search = toolOf('search');
    const { open } = fixture();
    const recording = await open('record', search);
    let count = 0;
    const calls: Call[] = [
      [search, { q: 'tea' }],
      [search, { q: 'tea' }],
      [search, { q: 'cup' }],
    ];
    const live = () => answer(`answer ${++count}`);
    const first = await recordTrial(recording, calls, live);
    expect(first).toEqual(['answer 1', 'answer 2', 'answer 3']);
    expect(await recordTrial(recording, calls, live)).toEqual(first);
    expect(count).toBe(3);
    expect(recording.finish(true)).toEqual([]);
    const replaying = await open('replay', search);
    for (let trial = 0; trial < 2; trial += 1) expect(replayTrial(replaying, calls)).toEqual(first);
    expect(replaying.finish(true)).toEqual([]);
  });

  test('makes a call that changes something in every trial, and keeps what came after it apart', async () => {
    const [look, cancel] = [toolOf('look', 'read'), toolOf('cancel', 'write')];
    const { open, written } = fixture();
    const recording = await open('record', look, cancel);
    const live: string[] = [];
    const trial = async () => {
      let status = 'open';
      const calls: Call[] = [
        [look, { id: 1 }],
        [cancel, { id: 1 }],
        [look, { id: 1 }],
      ];
      return recordTrial(recording, calls, (name) => {
        live.push(name);
        if (name === 'cancel') status = 'cancelled';
        return answer(status);
      });
    };
    expect(await trial()).toEqual(['open', 'cancelled', 'cancelled']);
    expect(await trial()).toEqual(['open', 'cancelled', 'cancelled']);
    expect(live).toEqual(['look', 'cancel', 'look', 'cancel']);
    expect(await written()).toContain('after:\n          - cancel:\n              id: 1');
    const replaying = await open('replay', look, cancel);
    // What only reads gives the same answer any number of times, but nothing is known after another change.
    expect(
      replayTrial(replaying, [
        [look, { id: 1 }],
        [look, { id: 1 }],
        [cancel, { id: 1 }],
        [look, { id: 1 }],
      ]),
    ).toEqual(['open', 'open', 'cancelled', 'cancelled']);
    expect(() =>
      replayTrial(replaying, [
        [cancel, { id: 1 }],
        [cancel, { id: 1 }],
      ]),
    ).toThrow('had changed something');
  });

  test('has no secret in it, and its redacted calls are found again', async () => {
    const login = toolOf('login');
    const { open, written } = fixture();
    const calls: Call[] = [[login, { password: SECRET }]];
    const recording = await open('record', login);
    expect(await recordTrial(recording, calls, () => answer(`{"token":"${SECRET}"}`))).toEqual([
      `{"token":"${SECRET}"}`,
    ]);
    expect(await written()).not.toContain(SECRET);
    const [replayed] = replayTrial(await open('replay', login), calls);
    expect(replayed).toContain('REDACTED');
  });

  test('is not made of a call that failed, and another trial makes the call itself', async () => {
    const search = toolOf('search');
    const { open } = fixture();
    const recording = await open('record', search);
    const [one, two] = [{}, {}];
    const { promise, reject } = Promise.withResolvers<ToolOutcome>();
    const first = recording.record(search, recording.identify(search, {}, one), () => promise);
    const second = recording.record(search, recording.identify(search, {}, two), async () => answer('mine'));
    reject(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    expect((await second).content).toBe('mine');
  });

  test('replaces what an earlier one has, and names what nothing used any more', async () => {
    const search = toolOf('search');
    const { open } = fixture();
    const before = await open('record', search);
    await recordTrial(
      before,
      [
        [search, { q: 'old' }],
        [search, { q: 'tea' }],
      ],
      () => answer('then'),
    );
    const again = await open('record', search);
    await recordTrial(again, [[search, { q: 'tea' }]], () => answer('now'));
    expect(again.finish(true).join()).toContain('has 1 call that no trial made: search {"q":"old"}');
    expect(again.finish(false)).toEqual([]);
    const replaying = await open('replay', search);
    expect(
      replayTrial(replaying, [
        [search, { q: 'tea' }],
        [search, { q: 'old' }],
      ]),
    ).toEqual(['now', 'then']);
  });

  test('of several processes on one file loses nothing', async () => {
    const search = toolOf('search');
    const { open } = fixture();
    const all = await Promise.all([0, 1, 2].map(() => open('record', search)));
    await Promise.all(
      all.map((each, at) =>
        recordTrial(
          each,
          [
            [search, { at }],
            [search, { at, more: true }],
          ],
          () => answer(`${at}`),
        ),
      ),
    );
    const replaying = await open('replay', search);
    for (const at of [0, 1, 2]) expect(replayTrial(replaying, [[search, { at, more: true }]])).toEqual([`${at}`]);
  });
});

describe('a call that was not recorded', () => {
  test.each<[string, CassetteTool, Record<string, unknown>, string]>([
    ['with another argument', toolOf('search'), { q: 'tee', page: 1 }, 'differs in q: recorded "tea", now "tee"'],
    ['once more than recorded', toolOf('search'), { q: 'tea', page: 1 }, 'recorded 1 time, and is made once more now'],
    ['of another tool', toolOf('other'), {}, 'No call of this tool was recorded'],
  ])('%s is an error that says so, and how to record it', async (_, tool, args, words) => {
    const search = toolOf('search');
    const { open } = fixture();
    await recordTrial(await open('record', search), [[search, { q: 'tea', page: 1 }]], () => answer('none'));
    const replaying = await open('replay', search, tool);
    const call: Call = [tool, args];
    expect(() => replayTrial(replaying, [[search, { q: 'tea', page: 1 }], call])).toThrow(words);
    expect(() => replayTrial(replaying, [[search, { q: 'tea', page: 1 }], call])).toThrow('salvo run shop.yaml');
  });

  test('is found by the arguments that identify it, whatever the others are', async () => {
    const look = toolOf('look', undefined, ['id']);
    const { open, written } = fixture();
    await recordTrial(await open('record', look), [[look, { id: 1, at: '18:01:07' }]], () => answer('open'));
    expect(await written()).toContain('18:01:07');
    const replaying = await open('replay', look);
    expect(replayTrial(replaying, [[look, { id: 1, at: '23:59:59' }]])).toEqual(['open']);
    expect(() => replayTrial(replaying, [[look, { id: 2, at: '18:01:07' }]])).toThrow('differs in id');
  });
});

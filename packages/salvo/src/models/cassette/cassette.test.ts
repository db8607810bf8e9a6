import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  AGENT_CALLER,
  judgeCaller,
  sampleCall,
  sampleContents,
  sampleRequest,
  sampleTrialOfCall,
} from '../../../../../test/sample-cassette.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { thisHolder } from '../../queue/lease.ts';
import { recordCassette, replayCassette } from './cassette.ts';
import { cassetteText } from './cassette-contents.ts';
import { readCassette } from './read-cassette.ts';

const call = (content = 'Hello', trial = 1) => ({
  trial: sampleTrialOfCall({ trial }),
  caller: AGENT_CALLER,
  request: sampleRequest(content),
});
const answer = (content: string) => {
  const { answer: sample, latency_seconds, cost_usd } = sampleCall();
  return { answer: sample && { ...sample, content }, latency_seconds, cost_usd };
};
const contentOf = (found: object) => ('answer' in found ? Object(found.answer).content : found);

describe('an answer', () => {
  test('belongs to its trial, and to how often the same was asked for', async () => {
    const file = join(temporaryFolder(), 'new', 'c.jsonl');
    const recording = recordCassette(file);
    for (const [content, trial] of [
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ] as const) {
      await recording.keep(call('Hello', trial), answer(content));
    }
    const replay = async () => replayCassette(file, (await readCassette(file)) ?? new Map());
    const one = await replay();
    // In another order than they were recorded.
    expect([2, 1, 1].map((trial) => contentOf(one.answerOf(call('Hello', trial))))).toEqual(['c', 'a', 'b']);
    expect(one.answerOf(call())).toEqual({
      nearest: 'The same request was recorded 2 times (in line 5), and is made once more now.',
    });
    // Another run counts anew.
    expect(contentOf((await replay()).answerOf(call()))).toBe('a');
  });

  test('of a judge belongs to its vote', () => {
    const replay = replayCassette('c', sampleContents());
    const vote = (number: number) => ({ ...call('Judge it'), caller: judgeCaller(number) });
    expect('answer' in replay.answerOf(vote(2))).toBe(true);
    expect(replay.answerOf(vote(3))).toEqual({ nearest: expect.stringContaining('was recorded elsewhere') });
  });
});

describe('the nearest request', () => {
  const replay = replayCassette('c', sampleContents());
  test.each([
    ['a text', { ...sampleRequest('Hello you') }, 'messages[0].content: recorded "Hello", now "Hello you"'],
    ['a setting', { ...sampleRequest(), settings: { temperature: 1 } }, 'settings.temperature: recorded 0, now 1'],
    ['a tool', { ...sampleRequest(), tools: [] }, 'tools[0]: recorded {"name":"look"}, now nothing'],
    [
      'a field',
      { ...sampleRequest(), tools: [{ name: 'look', strict: true }] },
      'tools[0].strict: recorded nothing, now true',
    ],
  ])('is told with the first difference in %s', (_, request, difference) => {
    expect(replay.answerOf({ ...call(), request })).toEqual({ nearest: expect.stringContaining(difference) });
  });

  test('is null if nothing of the scenario was recorded', () => {
    const trial = sampleTrialOfCall({ scenario: 'another' });
    expect(replay.answerOf({ ...call(), trial })).toEqual({ nearest: null });
  });

  test('may be in another trial', () => {
    expect(replay.answerOf({ ...call('Hello'), trial: sampleTrialOfCall({ trial: 3 }) })).toEqual({
      nearest: 'The same request was recorded elsewhere (in trial 2 of "s", openai m), but not here.',
    });
  });

  test('is cut around the difference, never inside of a character', () => {
    const [long, other] = ['😀'.repeat(50), `${'😀'.repeat(30)}x${'😀'.repeat(20)}`];
    const of = { ...sampleTrialOfCall(), scenario: 'long' };
    const request = sampleRequest(long);
    const contents = new Map([['k', { of, calls: [sampleCall({ request })] }]]);
    const found = replayCassette('c', contents).answerOf({ ...call(), trial: of, request: sampleRequest(other) });
    expect(JSON.stringify(found)).toMatch(/recorded \.\.\..*now \.\.\./);
    expect(JSON.stringify(found)).not.toContain('\\\\ud');
  });
});

describe('a recording', () => {
  test('replaces what was recorded of its trials, and leaves other trials and scenarios alone', async () => {
    const file = join(temporaryFolder(), 'c.jsonl');
    await writeFile(file, cassetteText(sampleContents()));
    const recording = recordCassette(file);
    await recording.keep(call(), answer('new'));
    const numbers = async () =>
      [...((await readCassette(file)) ?? new Map()).values()].map(({ of, calls }) => [of.trial, calls.length]);
    expect(await numbers()).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(await recording.finish(({ trial }) => trial < 2)).toEqual([]);
    expect(await numbers()).toEqual([[1, 1]]);
  });

  test('of votes alone keeps the conversation that is judged', async () => {
    const file = join(temporaryFolder(), 'c.jsonl');
    await writeFile(file, cassetteText(sampleContents()));
    await recordCassette(file).keep({ ...call('Judge it'), caller: judgeCaller(1) }, answer('new'));
    const [first] = ((await readCassette(file)) ?? new Map()).values();
    expect(first?.calls.map(({ caller }: { caller: object }) => Object(caller).by)).toEqual(['agent', 'judge']);
  });

  test('of several runs at once loses nothing', async () => {
    const file = join(temporaryFolder(), 'c.jsonl');
    const recordings = [1, 2, 3, 4].map((trial) => ({ trial, recording: recordCassette(file) }));
    await Promise.all(
      recordings.flatMap(({ trial, recording }) =>
        ['a', 'b', 'c'].map((content) => recording.keep(call(content, trial), answer(content))),
      ),
    );
    const counts = [...((await readCassette(file)) ?? new Map()).values()].map(({ calls }) => calls.length);
    expect(counts).toEqual([3, 3, 3, 3]);
  });

  test.each([
    ['of a process that was killed', () => JSON.stringify({ ...thisHolder(), started: 'another time' }), new Date()],
    ['whose holder is not known', () => '', new Date(Date.now() - 10_000)],
    ['of long ago', () => JSON.stringify({ pid: 1, started: '', place: 'elsewhere' }), new Date(0)],
  ])('is not stopped by a lock %s', async (_, content, time) => {
    const file = join(temporaryFolder(), 'c.jsonl');
    await writeFile(`${file}.lock`, content());
    await utimes(`${file}.lock`, time, time);
    await recordCassette(file).keep(call(), answer('a'));
    expect(await readFile(file, 'utf8')).toContain('"content":"a"');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('keeps no answer that could not be read again, and says so', async () => {
    const file = join(temporaryFolder(), 'c.jsonl');
    const recording = recordCassette(file);
    await recording.keep(call(), { ...answer('a'), latency_seconds: Number.NaN });
    expect(existsSync(file)).toBe(false);
    expect(await recording.finish(() => true)).toEqual([expect.stringContaining('no valid turn: trial 1 of "s"')]);
  });

  test('that cannot be written says so at its end, and fails no call', async () => {
    const file = join(temporaryFolder(), 'c.jsonl');
    await mkdir(file);
    const recording = recordCassette(file);
    await recording.keep(call(), answer('a'));
    expect(await recording.finish(() => true)).toEqual([expect.stringContaining('could not be written')]);
    await rmdir(file);
    await recording.keep(call('And this'), answer('b'));
    expect(await recording.finish(() => true)).toEqual([]);
    const [trial] = ((await readCassette(file)) ?? new Map()).values();
    expect(trial?.calls).toHaveLength(2);
  });
});

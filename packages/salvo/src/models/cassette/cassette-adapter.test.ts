import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  answeringAdapter,
  CASSETTE_SERVICES,
  sampleConfig,
  sampleTrialOfCall,
} from '../../../../../test/sample-cassette.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import type { Message } from '../../trace/message.ts';
import { recordCassette, replayCassette } from './cassette.ts';
import { onCassette } from './cassette-adapter.ts';
import type { TrialOfCall } from './cassette-document.ts';
import { readCassette } from './read-cassette.ts';

const user = (content: string): Message[] => [{ role: 'user', content }];
const text = (content: string) => ({
  ...{ content, tool_calls: [], finish_reason: 'stop', raw_response: { huge: true } },
  usage: { input_tokens: 3, output_tokens: 1 },
});

/** A recording adapter, and one that replays its file and whose model cannot be called. */
function fixture(sendTurn: Adapter['sendTurn'], judged?: TrialOfCall) {
  const file = join(temporaryFolder(), 'c.jsonl');
  const unusable = answeringAdapter(() => {
    throw new Error('It must not be called.');
  });
  const shared = { ...CASSETTE_SERVICES, judged };
  return {
    recording: onCassette({ ...shared, cassette: recordCassette(file), adapter: answeringAdapter(sendTurn) }),
    async replaying() {
      const cassette = replayCassette(file, (await readCassette(file)) ?? new Map());
      return onCassette({ ...shared, cassette, adapter: unusable });
    },
    written: () => readFile(file, 'utf8').catch(() => null),
  };
}

test('an answer has its tokens, its cost and its time again, without the response of the provider', async () => {
  const { recording, replaying } = fixture(async () => ({ ...text('Hi'), model: 'm-2026', provider_state: [1] }));
  expect(await recording.sendTurn(user('Hello'), [], sampleConfig())).toMatchObject({ raw_response: { huge: true } });
  const again = await replaying();
  expect(again).toMatchObject({ isReplayed: true, isOneModelCall: true });
  expect(await again.sendTurn(user('Hello'), [], sampleConfig())).toEqual({
    ...text('Hi'),
    ...{ model: 'm-2026', provider_state: [1], raw_response: null, cost_usd: 3 },
    latency_seconds: expect.any(Number),
  });
});

test('a request is known by the hashes of its files, whose content is not in the cassette', async () => {
  const { recording, replaying, written } = fixture(async () => text('A kettle.'));
  const withFile = (sha256: string): Message[] => {
    const file = { media_type: 'image/png', bytes: 4, sha256, data: 'Q09OVEVOVA==' };
    return [{ role: 'user', content: 'What is it?', files: [file] }];
  };
  await recording.sendTurn(withFile('aa'), [], sampleConfig());
  expect(await written()).not.toContain('Q09OVEVOVA');
  const again = await replaying();
  expect(await again.sendTurn(withFile('aa'), [], sampleConfig())).toMatchObject({ content: 'A kettle.' });
  await expect(again.sendTurn(withFile('bb'), [], sampleConfig())).rejects.toThrow('is not on the cassette');
});

test('a refusal that depends on the request alone is replayed; an outage is not recorded', async () => {
  const errors = [
    new AdapterError('rate_limit', 'slow down'),
    new AdapterError('content_filter', 'blocked', { status: 400 }),
  ];
  const { recording, replaying, written } = fixture(async () => {
    throw errors.shift();
  });
  await expect(recording.sendTurn(user('Hello'), [], sampleConfig())).rejects.toThrow('slow down');
  expect(await written()).toBeNull();
  await expect(recording.sendTurn(user('Hello'), [], sampleConfig())).rejects.toThrow('blocked');
  const again = (await replaying()).sendTurn(user('Hello'), [], sampleConfig());
  await expect(again).rejects.toMatchObject({ kind: 'content_filter', message: 'blocked', status: 400 });
});

test('a secret is in no file, and a conversation that quotes the redacted answer is found again', async () => {
  const secret = 'hunter2hunter2';
  const answers = [`It is ${secret}.`, 'Bye'];
  const { recording, replaying, written } = fixture(async () => text(answers.shift() ?? ''));
  const talk = async (adapter: Adapter) => {
    const first = await adapter.sendTurn(user(`Say ${secret}`), [], sampleConfig());
    const said: Message = { role: 'assistant', content: first.content, tool_calls: [] };
    return adapter.sendTurn([...user(`Say ${secret}`), said, ...user('Thanks')], [], sampleConfig());
  };
  await talk(recording);
  expect(await written()).not.toContain(secret);
  expect(await talk(await replaying())).toMatchObject({ content: 'Bye' });
});

test("the random fence of a judge's material is no part of its request, and may be quoted", async () => {
  const judged = sampleTrialOfCall({ trial: 2 });
  const { recording, replaying, written } = fixture(async (messages) => text(`I saw ${messages[0]?.content}`), judged);
  const ask = (adapter: Adapter, nonce: string) =>
    adapter.sendTurn(user(`<<<${nonce}>>> judge`), [], sampleConfig({ nonce }));
  await ask(recording, '0123456789abcdef');
  expect(await written()).not.toContain('0123456789abcdef');
  expect((await ask(await replaying(), 'fedcba9876543210')).content).toBe('I saw <<<fedcba9876543210>>> judge');
});

test('settings that change the answer belong to the request; signals, seeds of ours and logs do not', async () => {
  const { recording, replaying } = fixture(async () => text('Hi'));
  await recording.sendTurn(user('Hello'), [], sampleConfig({ temperature: 0.5 }));
  const again = await replaying();
  const { signal } = new AbortController();
  const conversation = { seed: 99, trialNumber: 1, request: 7, scenario: 's', runId: 'other' };
  const same = sampleConfig({ temperature: 0.5, signal, log: () => {}, conversation });
  expect((await again.sendTurn(user('Hello'), [], same)).content).toBe('Hi');
  const other = again.sendTurn(user('Hello'), [], sampleConfig({ temperature: 1 }));
  await expect(other).rejects.toMatchObject({
    code: 'ADAPTER_NOT_RECORDED',
    retryable: false,
    message: expect.stringContaining('settings.temperature: recorded 0.5, now 1. To record it again: salvo run'),
  });
});

test('figures that no model can have do not make the file unreadable', async () => {
  const usage = { input_tokens: Number.NaN, output_tokens: -1 };
  const { recording, replaying } = fixture(async () => ({ ...text('Hi'), usage, cost_usd: -3 }));
  await recording.sendTurn(user('Hello'), [], sampleConfig({ model: 'x'.repeat(5000) }));
  const again = await (await replaying()).sendTurn(user('Hello'), [], sampleConfig({ model: 'x'.repeat(5000) }));
  expect(again).toMatchObject({ content: 'Hi', usage: null });
});

import { expect, test } from 'vitest';
import type { Conversation } from '../adapter.ts';
import type { AdapterContext } from '../adapter-factory.ts';
import { type Script, scriptSchema } from '../script-schema.ts';
import { createScriptedAdapter } from './scripted.ts';

const context: AdapterContext = { root: '/', adapters: {}, env: {} };

function ask(script: unknown, conversation: Partial<Conversation> = {}, signal?: AbortSignal) {
  const adapter = createScriptedAdapter({ script: scriptSchema.parse(script) }, context);
  return adapter.sendTurn([], [], {
    model: 'scripted',
    signal,
    conversation: { seed: 1, trialNumber: 1, request: 0, ...conversation },
  });
}

const coin = {
  variants: [
    { weight: 3, turns: [{ content: 'heads' }, { content: 'more heads' }] },
    { turns: [{ content: 'tails' }] },
  ],
};

test('the number of the request selects the turn', async () => {
  const script = [{ tool_calls: [{ name: 'look', arguments: { at: 1 } }, { name: 'listen' }] }, { content: 'Done.' }];
  expect(await ask(script)).toEqual({
    content: null,
    tool_calls: [
      { id: 'call_0_0', name: 'look', arguments: { at: 1 } },
      { id: 'call_0_1', name: 'listen', arguments: {} },
    ],
    usage: null,
    finish_reason: 'tool_calls',
    raw_response: expect.anything(),
  });
  expect(await ask(script, { request: 1 })).toMatchObject({ content: 'Done.', tool_calls: [], finish_reason: 'stop' });
});

test('tokens are reported only when the script has them', async () => {
  const usage = { input_tokens: 10, output_tokens: 2 };
  expect((await ask([{ content: 'a', usage }])).usage).toEqual(usage);
  expect((await ask([{ content: 'a' }])).usage).toBeNull();
});

test('a turn with an error fails as the provider would, and a retry takes the next turn', async () => {
  const script = [{ error: { status: 503, message: 'try later' } }, { content: 'Done.' }];
  await expect(ask(script)).rejects.toMatchObject({
    kind: 'server',
    status: 503,
    message: 'try later',
    retryable: true,
  });
  expect(await ask(script, { request: 1 })).toMatchObject({ content: 'Done.' });
});

test('a script that is too short says how many turns it has and what to add', async () => {
  await expect(ask([{ content: 'a' }], { request: 1 })).rejects.toMatchObject({
    kind: 'script_exhausted',
    message: expect.stringMatching(/has 1 turn, but .* asked for turn 2.*add a turn/),
  });
});

test('a scenario can bring the script of the built-in adapter', async () => {
  const script: Script = [{ content: 'from the scenario' }];
  const adapter = createScriptedAdapter({}, { ...context, script });
  expect(await adapter.sendTurn([], [], { model: 'm' })).toMatchObject({ content: 'from the scenario' });
  await expect(createScriptedAdapter({}, context).sendTurn([], [], { model: 'm' })).rejects.toThrow('Add "script:"');
});

test('a conversation stays with the variant it began with', async () => {
  for (let trialNumber = 1; trialNumber <= 50; trialNumber++) {
    const { content } = await ask(coin, { trialNumber });
    if (content === 'heads')
      expect(await ask(coin, { trialNumber, request: 1 })).toMatchObject({ content: 'more heads' });
    expect((await ask(coin, { trialNumber })).content).toBe(content);
  }
});

test.each(['trialNumber', 'voteNumber', 'seed'] as const)(
  'variants are drawn by weight over every %s',
  async (field) => {
    const drawn = await Promise.all(Array.from({ length: 2000 }, (_, index) => ask(coin, { [field]: index + 1 })));
    const heads = drawn.filter(({ content }) => content === 'heads').length;
    // 1500 expected; five standard deviations are 97. The draws are fixed, so this never flickers.
    expect(Math.abs(heads - 1500)).toBeLessThan(97);
  },
);

test('a script can have a part for each model, and a model without one is not found', async () => {
  const script = { models: { careful: [{ content: 'yes' }], hasty: { variants: [{ turns: [{ content: 'no' }] }] } } };
  const adapter = createScriptedAdapter({ script: scriptSchema.parse(script) }, context);
  const answer = async (model: string) => (await adapter.sendTurn([], [], { model })).content;
  expect([await answer('careful'), await answer('hasty')]).toEqual(['yes', 'no']);
  await expect(answer('hastyy')).rejects.toMatchObject({
    kind: 'not_found',
    message: 'The script has no model "hastyy". Did you mean "hasty"? It has careful, hasty.',
  });
  await expect(answer('constructor')).rejects.toMatchObject({ kind: 'not_found' });
});

test('a trial that changes its arguments does not affect the next', async () => {
  const script: Script = [{ tool_calls: [{ name: 'put', arguments: { list: [1] } }] }];
  const adapter = createScriptedAdapter({ script }, context);
  const first = await adapter.sendTurn([], [], { model: 'm' });
  Object.assign(first.tool_calls[0]?.arguments ?? {}, { list: 'spoilt' });
  expect((await adapter.sendTurn([], [], { model: 'm' })).tool_calls[0]?.arguments).toEqual({ list: [1] });
});

test('a delay ends at once when the trial is cancelled', async () => {
  const controller = new AbortController();
  const answer = ask([{ content: 'a', delay_ms: 600_000 }], {}, controller.signal);
  controller.abort();
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  await expect(ask([{ content: 'a' }], {}, AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
});

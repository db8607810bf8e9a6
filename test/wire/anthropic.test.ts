import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../packages/salvo/src/adapters/adapter.ts';
import { createAnthropicAdapter } from '../../packages/salvo/src/adapters/anthropic/anthropic.ts';
import { createPricing } from '../../packages/salvo/src/models/budget/prices.ts';
import { sendRequest } from '../../packages/salvo/src/models/call/send-with-retries.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';
import { anthropicError, anthropicMessage } from '../loopback/anthropic-wire.ts';
import { type Exchange, startLoopback } from '../loopback/loopback-server.ts';

const KEY = 'sk-ant-test-0123456789abcdef';
const MODEL = 'claude-sonnet-4-5';
const WEATHER: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { properties: { city: { type: 'string' } } },
};
const QUESTION: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Weather in Rome and Oslo?' },
];
const TEXT = [{ type: 'text', text: 'Sunny.' }];

function adapterAt(url: string, options: { timeout_seconds?: number } = {}) {
  const context = { root: '.', adapters: {}, env: { ANTHROPIC_API_KEY: `${KEY}\n` } };
  return createAnthropicAdapter({ type: 'anthropic', base_url: url, ...options }, context);
}

async function oneTurn(reply: Exchange['reply']) {
  await using server = await startLoopback([{ reply }]);
  return await adapterAt(server.url).sendTurn(QUESTION, [], { model: MODEL });
}

async function oneFailure(reply: Exchange['reply'], options: { timeout_seconds?: number } = {}) {
  await using server = await startLoopback([{ reply }]);
  const turn = adapterAt(server.url, options).sendTurn(QUESTION, [], { model: MODEL });
  return await turn.then(
    () => expect.unreachable('the turn should have failed'),
    (error: unknown) => error,
  );
}

describe('what is sent', () => {
  it('is a Messages request with the system prompt apart, the key, the tools and the settings', async () => {
    await using server = await startLoopback([
      {
        expect({ method, path, headers, body }) {
          expect(`${method} ${path}`).toBe('POST /v1/messages');
          expect(headers.authorization).toBe(`Bearer ${KEY}`);
          expect(headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/);
          expect(body).toEqual({
            model: MODEL,
            max_tokens: 300,
            system: 'Be brief.\n\nBe kind.',
            messages: [{ role: 'user', content: 'Weather in Rome and Oslo?' }],
            tools: [
              {
                name: 'get_weather',
                description: 'The weather of a city',
                input_schema: { type: 'object', properties: { city: { type: 'string' } } },
              },
            ],
            temperature: 0.5,
            thinking: { type: 'enabled', budget_tokens: 1024 },
          });
        },
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const result = await adapterAt(server.url).sendTurn(QUESTION, [WEATHER], {
      model: MODEL,
      temperature: 0.5,
      maxTokens: 300,
      seed: 7,
      extras: { thinking: { type: 'enabled', budget_tokens: 1024 }, stream: true },
    });
    expect(result).toMatchObject({
      content: 'Sunny.',
      tool_calls: [],
      usage: { input_tokens: 10, output_tokens: 5 },
      finish_reason: 'stop',
      raw_response: { id: 'msg_1' },
    });
  });

  it('has a limit of tokens even when the scenario names none, and no empty text', async () => {
    await using server = await startLoopback([
      {
        expect: ({ body }) =>
          expect(body).toEqual({ model: MODEL, max_tokens: 4096, messages: [{ role: 'user', content: 'Hi' }] }),
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const messages: Message[] = [
      { role: 'system', content: '' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: ' ', tool_calls: [] },
    ];
    expect((await adapterAt(server.url).sendTurn(messages, [], { model: MODEL })).content).toBe('Sunny.');
  });

  it("has no key at all beside an authorisation header of the user's own", async () => {
    await using server = await startLoopback([
      {
        expect({ headers }) {
          expect(headers['x-api-key']).toBe('gateway-1');
          expect(headers.authorization).toBeUndefined();
        },
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const options = { type: 'anthropic', base_url: server.url, headers: { 'x-api-key': `\${GATEWAY}` } } as const;
    const adapter = createAnthropicAdapter(options, { root: '.', adapters: {}, env: { GATEWAY: 'gateway-1' } });
    expect((await adapter.sendTurn(QUESTION, [], { model: MODEL })).content).toBe('Sunny.');
  });

  it('needs a key, and names the variable to set', async () => {
    const adapter = createAnthropicAdapter({ type: 'anthropic' }, { root: '.', adapters: {}, env: {} });
    await expect(adapter.sendTurn(QUESTION, [], { model: MODEL })).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });
});

describe('a conversation with tools', () => {
  it('takes parallel calls and gives their results back together in one message', async () => {
    await using server = await startLoopback([
      {
        reply: anthropicMessage({
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'toolu_a', name: 'get_weather', input: { city: 'Rome' } },
            { type: 'tool_use', id: 'toolu_b', name: 'get_weather', input: { city: 'Oslo' } },
          ],
          stopReason: 'tool_use',
        }),
      },
      {
        expect: ({ body }) =>
          expect(body).toMatchObject({
            messages: [
              { role: 'user', content: 'Weather in Rome and Oslo?' },
              {
                role: 'assistant',
                content: [
                  { type: 'text', text: 'Let me look.' },
                  { type: 'tool_use', id: 'toolu_a', name: 'get_weather', input: { city: 'Rome' } },
                  { type: 'tool_use', id: 'toolu_b', name: 'get_weather', input: { city: 'Oslo' } },
                ],
              },
              {
                role: 'user',
                content: [
                  { type: 'tool_result', tool_use_id: 'toolu_a', content: '21 °C' },
                  { type: 'tool_result', tool_use_id: 'toolu_b', content: 'no such city', is_error: true },
                ],
              },
              { role: 'user', content: 'And?' },
            ],
          }),
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const first = await adapter.sendTurn(QUESTION, [WEATHER], { model: MODEL });
    expect(first).toMatchObject({
      content: 'Let me look.',
      finish_reason: 'tool_calls',
      tool_calls: [
        { id: 'toolu_a', name: 'get_weather', arguments: { city: 'Rome' } },
        { id: 'toolu_b', name: 'get_weather', arguments: { city: 'Oslo' } },
      ],
    });
    const second = await adapter.sendTurn(
      [
        ...QUESTION,
        { role: 'assistant', content: first.content, tool_calls: first.tool_calls },
        { role: 'tool_result', tool_call_id: 'toolu_a', name: 'get_weather', content: '21 °C', is_error: false },
        { role: 'tool_result', tool_call_id: 'toolu_b', name: 'get_weather', content: 'no such city', is_error: true },
        { role: 'user', content: 'And?' },
      ],
      [WEATHER],
      { model: MODEL },
    );
    expect(second.content).toBe('Sunny.');
  });

  it('gives signed thinking back as it was and where it was', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'tool_use', id: 'toolu_a', name: 'get_weather', input: { city: 'Rome' } },
    ];
    await using server = await startLoopback([
      { reply: anthropicMessage({ content, stopReason: 'tool_use' }) },
      {
        expect: ({ body }) => expect(body).toMatchObject({ messages: [{ role: 'assistant', content }] }),
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const { content: text, tool_calls, provider_state } = await adapter.sendTurn(QUESTION, [], { model: MODEL });
    expect(text).toBeNull();
    const assistant: Message = { role: 'assistant', content: text, tool_calls, provider_state };
    expect((await adapter.sendTurn([assistant], [], { model: MODEL })).content).toBe('Sunny.');
  });

  it('keeps malformed arguments as they came, and echoes an empty object for them', async () => {
    await using server = await startLoopback([
      {
        reply: anthropicMessage({
          content: [{ type: 'tool_use', id: 'toolu_a', name: 'x', input: '{"city": "Ro' }],
          stopReason: 'max_tokens',
        }),
      },
      {
        expect: ({ body }) => expect(body).toMatchObject({ messages: [{ content: [{ id: 'toolu_a', input: {} }] }] }),
        reply: anthropicMessage({ content: TEXT }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const { tool_calls, finish_reason } = await adapter.sendTurn(QUESTION, [], { model: MODEL });
    expect(finish_reason).toBe('length');
    expect(tool_calls).toEqual([{ id: 'toolu_a', name: 'x', arguments: {}, raw_arguments: '{"city": "Ro' }]);
    const assistant: Message = { role: 'assistant', content: null, tool_calls };
    expect((await adapter.sendTurn([assistant], [], { model: MODEL })).content).toBe('Sunny.');
  });
});

describe('the answer', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
  ])('says %s in our words: %s', async (stopReason, finish_reason) => {
    expect((await oneTurn(anthropicMessage({ content: TEXT, stopReason }))).finish_reason).toBe(finish_reason);
  });

  it('is a refusal with its explanation when the model says nothing else', async () => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: 'Not that.' };
    expect(await oneTurn(anthropicMessage({ content: [], stopReason: 'refusal', stopDetails }))).toMatchObject({
      content: 'Not that.',
      finish_reason: 'refusal',
    });
  });

  it('counts what was read from and written to the cache as input', async () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 1000,
    };
    expect((await oneTurn(anthropicMessage({ content: TEXT, usage }))).usage).toEqual({
      input_tokens: 1210,
      output_tokens: 5,
      cache_read_tokens: 1000,
      cache_write_tokens: 200,
    });
  });

  it('has unknown usage when the server does not report it', async () => {
    expect((await oneTurn(anthropicMessage({ content: TEXT, usage: null }))).usage).toBeNull();
  });

  it('may be huge', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(10_000_000) }];
    expect((await oneTurn(anthropicMessage({ content }))).content).toHaveLength(10_000_000);
  });
});

describe('what goes wrong', () => {
  it.each([
    [401, 'authentication_error', 'auth', false],
    [403, 'permission_error', 'auth', false],
    [404, 'not_found_error', 'not_found', false],
    [400, 'invalid_request_error', 'bad_request', false],
    [413, 'request_too_large', 'context_length', false],
    [429, 'rate_limit_error', 'rate_limit', true],
    [500, 'api_error', 'server', true],
    [503, 'api_error', 'server', true],
    [529, 'overloaded_error', 'overloaded', true],
  ])('has its kind from status %i (%s): %s', async (status, type, kind, retryable) => {
    const error = await oneFailure(anthropicError(status, { type, message: `It broke, ${KEY}.` }));
    expect(error).toMatchObject({ kind, status, retryable, message: expect.stringContaining('It broke') });
    expect(String(error)).not.toContain(KEY);
  });

  it('waits as long as Retry-After asks, then sends the same request again', async () => {
    await using server = await startLoopback([
      { reply: anthropicError(429, { type: 'rate_limit_error', message: 'slow', headers: { 'retry-after': '9' } }) },
      { reply: anthropicError(529, { type: 'overloaded_error', message: 'Overloaded' }) },
      { reply: anthropicMessage({ content: TEXT }) },
    ]);
    const waits: number[] = [];
    const reasons: string[] = [];
    const { result, requests } = await sendRequest({
      adapter: adapterAt(server.url),
      messages: QUESTION,
      tools: [],
      config: { model: MODEL },
      pricing: createPricing(),
      costOf: async () => ({ usd: null }),
      random: () => 1,
      sleep: async (seconds) => void waits.push(seconds),
      onRetry: ({ reason, status }) => void reasons.push(`${status} ${reason}`),
    });
    expect(result.content).toBe('Sunny.');
    expect(requests).toBe(3);
    expect(waits).toEqual([9, 2]);
    expect(reasons).toEqual([expect.stringContaining('429'), expect.stringContaining('Overloaded')]);
    expect(server.requests[2]?.body).toEqual(server.requests[0]?.body);
  });

  it('is a lost connection when the reply is cut in the middle', async () => {
    expect(await oneFailure({ cutAfter: '{"content": [{"ty' })).toMatchObject({ kind: 'connection', retryable: true });
    expect(await oneFailure('reset')).toMatchObject({ kind: 'connection', retryable: true });
  });

  it('is a timeout when the reply never comes, but not when the caller stops', async () => {
    expect(await oneFailure('hang', { timeout_seconds: 0.05 })).toMatchObject({ kind: 'timeout', retryable: true });
    const controller = new AbortController();
    await using server = await startLoopback([{ expect: () => controller.abort(), reply: 'hang' }]);
    const turn = adapterAt(server.url).sendTurn(QUESTION, [], { model: MODEL, signal: controller.signal });
    await expect(turn).rejects.toMatchObject({ kind: 'aborted', retryable: false });
  });

  it.each([
    ['a web page', { text: '<html><body>Welcome to the proxy</body></html>' }, 'Welcome to the proxy'],
    ['no content', { json: { type: 'message' } }, 'content'],
    ['JSON that ends too soon', { text: '{"content": [', contentType: 'application/json' }, '{"content": ['],
    ['nothing at all', { text: '', contentType: 'application/json' }, 'empty body'],
  ])('is a bad response when the answer is %s', async (_, reply, quote) => {
    expect(await oneFailure(reply)).toMatchObject({
      kind: 'bad_response',
      retryable: false,
      message: expect.stringContaining(quote),
    });
  });
});

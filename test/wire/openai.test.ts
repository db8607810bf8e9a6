import { describe, expect, it } from 'vitest';
import type { AdapterConfig, ToolDefinition } from '../../packages/salvo/src/adapters/adapter.ts';
import { createOpenAiAdapter } from '../../packages/salvo/src/adapters/openai/openai.ts';
import { createPricing } from '../../packages/salvo/src/models/budget/prices.ts';
import { sendRequest } from '../../packages/salvo/src/models/call/send-with-retries.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';
import { type Exchange, startLoopback } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';

const KEY = 'sk-test-0123456789abcdef';
const WEATHER: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const QUESTION: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Weather in Rome and Oslo?' },
];

function adapterAt(url: string, options: Partial<Parameters<typeof createOpenAiAdapter>[0]> = {}) {
  const env = { OPENAI_API_KEY: KEY, TENANT: 'tenant-secret-1' };
  return createOpenAiAdapter({ type: 'openai', base_url: `${url}/v1`, ...options }, { root: '.', adapters: {}, env });
}

/** One turn against a server that has one answer. */
async function oneTurn(reply: Exchange['reply'], config: Partial<AdapterConfig> = {}, messages = QUESTION) {
  await using server = await startLoopback([{ reply }]);
  return await adapterAt(server.url).sendTurn(messages, [], { model: 'gpt-4o', ...config });
}

async function oneFailure(reply: Exchange['reply'], options: { timeout_seconds?: number } = {}) {
  await using server = await startLoopback([{ reply }]);
  const turn = adapterAt(server.url, options).sendTurn(QUESTION, [], { model: 'gpt-4o' });
  return await turn.then(
    () => expect.unreachable('the turn should have failed'),
    (error: unknown) => error,
  );
}

describe('what is sent', () => {
  it('is a chat completion request with the key, the tools and the settings, and nothing else', async () => {
    await using server = await startLoopback([
      {
        expect({ method, path, headers, body }) {
          expect(`${method} ${path}`).toBe('POST /v1/chat/completions');
          expect(headers.authorization).toBe(`Bearer ${KEY}`);
          expect(headers['x-tenant']).toBe('id tenant-secret-1');
          expect(body).toEqual({
            model: 'gpt-4o',
            messages: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Weather in Rome and Oslo?' },
            ],
            tools: [{ type: 'function', function: WEATHER }],
            temperature: 0,
            max_tokens: 300,
            seed: 7,
            tool_choice: 'required',
          });
        },
        reply: completion({ content: 'Sunny.' }),
      },
    ]);
    const adapter = adapterAt(server.url, { headers: { 'X-Tenant': `id \${TENANT}` } });
    const result = await adapter.sendTurn(QUESTION, [WEATHER], {
      model: 'gpt-4o',
      temperature: 0,
      maxTokens: 300,
      seed: 7,
      extras: { tool_choice: 'required', stream: true },
    });
    expect(result).toMatchObject({
      content: 'Sunny.',
      tool_calls: [],
      usage: { input_tokens: 10, output_tokens: 5 },
      finish_reason: 'stop',
      raw_response: { id: 'chatcmpl-1' },
    });
  });

  it('leaves out whatever the scenario does not set', async () => {
    await using server = await startLoopback([
      {
        expect: ({ body }) => expect(body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
        reply: completion({ content: 'Hi' }),
      },
    ]);
    const result = await adapterAt(server.url).sendTurn([{ role: 'user', content: 'Hi' }], [], { model: 'm' });
    expect(result.content).toBe('Hi');
  });

  it('has a placeholder for a key when a compatible server is called without one', async () => {
    await using server = await startLoopback([
      { expect: ({ headers }) => expect(headers.authorization).toBe('Bearer no-key'), reply: completion({}) },
    ]);
    const adapter = createOpenAiAdapter({ type: 'openai' }, contextWith({ OPENAI_BASE_URL: server.url }));
    expect((await adapter.sendTurn(QUESTION, [], { model: 'llama3' })).content).toBeNull();
  });

  it("has no key at all beside an authorisation header of the user's own", async () => {
    await using server = await startLoopback([
      {
        expect({ headers }) {
          expect(headers['api-key']).toBe('azure-1');
          expect(headers.authorization).toBeUndefined();
        },
        reply: completion({ content: 'ok' }),
      },
    ]);
    const options = { type: 'openai', base_url: server.url, headers: { 'api-key': `\${AZURE}` } } as const;
    const adapter = createOpenAiAdapter(options, contextWith({ AZURE: 'azure-1' }));
    expect((await adapter.sendTurn(QUESTION, [], { model: 'x' })).content).toBe('ok');
  });
});

describe('without a key', () => {
  it('names the variable to set', async () => {
    const turn = (options: object) =>
      createOpenAiAdapter({ type: 'openai', ...options }, contextWith({})).sendTurn(QUESTION, [], { model: 'x' });
    await expect(turn({})).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('OPENAI_API_KEY') });
    await expect(turn({ base_url: 'http://127.0.0.1:9', api_key_env: 'GROQ_KEY' })).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('GROQ_KEY'),
    });
    await expect(turn({ headers: { Authorization: `Bearer \${NOWHERE}` } })).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('NOWHERE'),
    });
  });
});

describe('a conversation with tools', () => {
  it('takes parallel calls and gives each result back under the id of its call', async () => {
    await using server = await startLoopback([
      {
        reply: completion({
          toolCalls: [
            { id: 'call_a', name: 'get_weather', arguments: '{"city":"Rome"}' },
            { id: 'call_b', name: 'get_weather', arguments: '{"city":"Oslo"}' },
          ],
        }),
      },
      {
        expect: ({ body }) =>
          expect(body).toMatchObject({
            messages: [
              { role: 'system' },
              { role: 'user' },
              {
                role: 'assistant',
                content: null,
                tool_calls: [
                  {
                    id: 'call_a',
                    type: 'function',
                    function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
                  },
                  {
                    id: 'call_b',
                    type: 'function',
                    function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
                  },
                ],
              },
              { role: 'tool', tool_call_id: 'call_a', content: '21 °C' },
              { role: 'tool', tool_call_id: 'call_b', content: 'no such city' },
            ],
          }),
        reply: completion({ content: 'Rome 21 °C, Oslo unknown.' }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const first = await adapter.sendTurn(QUESTION, [WEATHER], { model: 'gpt-4o' });
    expect(first.finish_reason).toBe('tool_calls');
    expect(first.tool_calls).toEqual([
      { id: 'call_a', name: 'get_weather', arguments: { city: 'Rome' } },
      { id: 'call_b', name: 'get_weather', arguments: { city: 'Oslo' } },
    ]);
    const second = await adapter.sendTurn(
      [
        ...QUESTION,
        { role: 'assistant', content: first.content, tool_calls: first.tool_calls },
        { role: 'tool_result', tool_call_id: 'call_a', name: 'get_weather', content: '21 °C', is_error: false },
        { role: 'tool_result', tool_call_id: 'call_b', name: 'get_weather', content: 'no such city', is_error: true },
      ],
      [WEATHER],
      { model: 'gpt-4o' },
    );
    expect(second).toMatchObject({ content: 'Rome 21 °C, Oslo unknown.', finish_reason: 'stop', tool_calls: [] });
  });

  it('keeps malformed arguments as the model wrote them, and echoes them so', async () => {
    await using server = await startLoopback([
      {
        reply: completion({
          toolCalls: [
            { id: 'a', name: 'x', arguments: '{"city": "Ro' },
            { id: 'b', name: 'x', arguments: '[1]' },
            { id: 'c', name: 'x', arguments: '' },
          ],
        }),
      },
      {
        expect: ({ body }) =>
          expect(body).toMatchObject({
            messages: [
              {
                tool_calls: [
                  { function: { arguments: '{"city": "Ro' } },
                  { function: { arguments: '[1]' } },
                  { function: { arguments: '{}' } },
                ],
              },
            ],
          }),
        reply: completion({ content: 'Sorry.' }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const { tool_calls } = await adapter.sendTurn(QUESTION, [], { model: 'm' });
    expect(tool_calls).toEqual([
      { id: 'a', name: 'x', arguments: {}, raw_arguments: '{"city": "Ro' },
      { id: 'b', name: 'x', arguments: {}, raw_arguments: '[1]' },
      { id: 'c', name: 'x', arguments: {} },
    ]);
    const next = await adapter.sendTurn([{ role: 'assistant', content: null, tool_calls }], [], { model: 'm' });
    expect(next.content).toBe('Sorry.');
  });

  it("gives back a server's thoughts and signatures with the calls they belong to", async () => {
    const signature = { google: { thought_signature: 'abc' } };
    await using server = await startLoopback([
      {
        reply: completion({
          toolCalls: [{ id: 'a', name: 'x', arguments: '{}', extra: { extra_content: signature } }],
          message: { reasoning_content: 'Hm.' },
        }),
      },
      {
        expect: ({ body }) =>
          expect(body).toMatchObject({
            messages: [{ reasoning_content: 'Hm.', tool_calls: [{ id: 'a', extra_content: signature }] }],
          }),
        reply: completion({ content: 'Done.' }),
      },
    ]);
    const adapter = adapterAt(server.url);
    const { tool_calls, provider_state } = await adapter.sendTurn(QUESTION, [], { model: 'm' });
    const assistant: Message = { role: 'assistant', content: null, tool_calls, provider_state };
    expect((await adapter.sendTurn([assistant], [], { model: 'm' })).content).toBe('Done.');
  });
});

describe('the answer', () => {
  it('is a refusal when the model says so', async () => {
    expect(await oneTurn(completion({ refusal: 'I cannot help with that.' }))).toMatchObject({
      content: 'I cannot help with that.',
      finish_reason: 'refusal',
    });
  });

  it('is marked as cut off when the limit of tokens was reached', async () => {
    expect(await oneTurn(completion({ content: 'Once upon a', finishReason: 'length' }))).toMatchObject({
      content: 'Once upon a',
      finish_reason: 'length',
    });
  });

  it('has unknown usage when the server does not report it', async () => {
    expect((await oneTurn(completion({ content: 'x', usage: null }))).usage).toBeNull();
    expect((await oneTurn(completion({ content: 'x', usage: { prompt_tokens: 'many' } }))).usage).toBeNull();
  });

  it('counts cached tokens as part of the input', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } };
    expect((await oneTurn(completion({ content: 'x', usage }))).usage).toEqual({
      input_tokens: 100,
      output_tokens: 5,
      cache_read_tokens: 80,
    });
  });

  it('may be huge', async () => {
    const content = 'x'.repeat(10_000_000);
    expect((await oneTurn(completion({ content }))).content).toHaveLength(content.length);
  });

  it('may be JSON without the content type of JSON', async () => {
    const json = JSON.stringify({ choices: [{ message: { content: 'hello' } }] });
    expect(await oneTurn({ text: json, contentType: 'text/plain' })).toMatchObject({
      content: 'hello',
      finish_reason: 'stop',
      usage: null,
    });
  });
});

describe('what goes wrong', () => {
  it.each([
    [401, 'auth', false],
    [403, 'auth', false],
    [404, 'not_found', false],
    [400, 'bad_request', false],
    [422, 'bad_request', false],
    [408, 'timeout', true],
    [409, 'rate_limit', true],
    [429, 'rate_limit', true],
    [500, 'server', true],
    [502, 'server', true],
    [503, 'server', true],
    [504, 'server', true],
    [529, 'overloaded', true],
  ])('has its kind from status %i: %s', async (status, kind, retryable) => {
    const error = await oneFailure(openAiError(status, { message: `It broke. Your key was ${KEY}.` }));
    expect(error).toMatchObject({ kind, status, retryable, message: expect.stringContaining('It broke.') });
    expect(String(error)).not.toContain(KEY);
  });

  it('names the variable of a refused key, and a model that does not exist', async () => {
    expect(await oneFailure(openAiError(401, { message: 'bad key' }))).toMatchObject({
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect(await oneFailure(openAiError(404, { message: 'no such model' }))).toMatchObject({
      message: expect.stringContaining('"gpt-4o"'),
    });
  });

  it('is not tried again when the quota is used up', async () => {
    const error = await oneFailure(openAiError(429, { message: 'You exceeded it.', code: 'insufficient_quota' }));
    expect(error).toMatchObject({ kind: 'auth', status: 429, retryable: false });
  });

  it('has the message of servers with an error format of their own', async () => {
    expect(await oneFailure({ status: 404, json: { error: 'model "x" not found, try pulling it' } })).toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('try pulling it'),
    });
    expect(await oneFailure({ status: 400, json: { detail: 'field required' } })).toMatchObject({
      message: expect.stringContaining('field required'),
    });
    expect(await oneFailure({ status: 502, text: '<html>\n<h1>Bad Gateway</h1></html>' })).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('Bad Gateway'),
    });
    expect(await oneFailure({ json: { error: { message: 'upstream is busy', code: 429 } } })).toMatchObject({
      kind: 'rate_limit',
      message: expect.stringContaining('upstream is busy'),
    });
  });

  it('waits as long as Retry-After asks, then sends the same request again', async () => {
    await using server = await startLoopback([
      { reply: openAiError(429, { message: 'slow down', headers: { 'retry-after': '17' } }) },
      { reply: openAiError(429, { message: 'slower', headers: { 'retry-after-ms': '1500', 'retry-after': '2' } }) },
      { reply: completion({ content: 'There you are.' }) },
    ]);
    const waits: number[] = [];
    const { result, requests } = await sendRequest({
      adapter: adapterAt(server.url),
      messages: QUESTION,
      tools: [],
      config: { model: 'gpt-4o' },
      pricing: createPricing(),
      costOf: async () => ({ usd: null }),
      sleep: async (seconds) => void waits.push(seconds),
    });
    expect(result.content).toBe('There you are.');
    expect(requests).toBe(3);
    expect(waits).toEqual([17, 1.5]);
    expect(server.requests[2]?.body).toEqual(server.requests[0]?.body);
  });

  it('is a lost connection when the reply is cut in the middle, and when no server listens', async () => {
    expect(await oneFailure({ cutAfter: '{"choices": [{"mess' })).toMatchObject({
      kind: 'connection',
      retryable: true,
    });
    expect(await oneFailure('reset')).toMatchObject({ kind: 'connection', retryable: true });
    const unreachable = adapterAt('http://127.0.0.1:1').sendTurn(QUESTION, [], { model: 'x' });
    await expect(unreachable).rejects.toMatchObject({ kind: 'connection', retryable: true });
  });

  it('is a timeout when the reply never comes', async () => {
    expect(await oneFailure('hang', { timeout_seconds: 0.05 })).toMatchObject({
      kind: 'timeout',
      retryable: true,
      message: expect.stringContaining('0.05 s'),
    });
  });

  it('is "aborted", and not a timeout, when the caller stops', async () => {
    const controller = new AbortController();
    await using server = await startLoopback([{ expect: () => controller.abort(), reply: 'hang' }]);
    const turn = adapterAt(server.url).sendTurn(QUESTION, [], { model: 'x', signal: controller.signal });
    await expect(turn).rejects.toMatchObject({ kind: 'aborted', retryable: false });
  });

  it.each([
    ['a web page', { text: '<html><body>Welcome to the proxy</body></html>' }, 'Welcome to the proxy'],
    ['no choices', { json: { choices: [] } }, 'choices'],
    ['JSON that ends too soon', { text: '{"choices": [', contentType: 'application/json' }, '{"choices": ['],
    ['nothing at all', { text: '', contentType: 'application/json' }, 'empty body'],
    ['a list', { json: [1, 2] }, '[1,2]'],
    ['an echo of the key', { text: `<p>Bearer ${KEY}</p>` }, '[REDACTED:secret]'],
  ])('is a bad response when the answer is %s', async (_, reply, quote) => {
    const error = await oneFailure(reply);
    expect(error).toMatchObject({ kind: 'bad_response', retryable: false, message: expect.stringContaining(quote) });
    expect(String(error)).not.toContain(KEY);
  });
});

function contextWith(env: Record<string, string>) {
  return { root: '.', adapters: {}, env };
}

describe('an answer that cannot be read', () => {
  it.each([
    ['is nested too deeply', { text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 'nested more than 200 levels'],
    ['is not what its encoding says', { text: 'plain', headers: { 'content-encoding': 'gzip' } }, 'could not be read'],
  ])(
    'because it %s is not called a request that could not be sent, and is not asked for again',
    async (_, reply, words) => {
      const failure = await oneFailure(reply);
      expect(failure).toMatchObject({
        kind: 'bad_response',
        retryable: false,
        message: expect.stringContaining(words),
      });
      expect(failure).not.toMatchObject({ message: expect.stringContaining('could not be sent') });
    },
  );
});

it('the value of a short header is not cut out of the words of an error', async () => {
  await using server = await startLoopback([{ reply: openAiError(400, { message: 'The answer has h1 too many.' }) }]);
  const options = { type: 'openai', base_url: server.url, headers: { 'X-A': `\${A}`, 'X-B': `\${B}` } } as const;
  const adapter = createOpenAiAdapter(options, contextWith({ A: 'h', B: 'answer' }));
  await expect(adapter.sendTurn(QUESTION, [], { model: 'x' })).rejects.toThrow('The answer has h1 too many.');
});

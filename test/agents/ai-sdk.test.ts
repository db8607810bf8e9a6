import { expect, test } from 'vitest';
import type { AdapterConfig } from '../../packages/salvo/src/adapters/adapter.ts';
import type { AdapterOptions } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { createAiSdkAdapter } from '../../packages/salvo/src/adapters/ai-sdk/ai-sdk.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';
import { type Reply, startLoopback } from '../loopback/loopback-server.ts';

type Options = Partial<Extract<AdapterOptions, { type: 'ai-sdk' }>>;

const completion = (
  message: unknown,
  finish_reason = 'stop',
  usage: unknown = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
): Reply => ({
  json: {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason }],
    usage,
  },
});
const failure = (status: number): Reply => ({
  status,
  headers: { 'retry-after': '9' },
  json: { error: { message: 'because' } },
});
/** A server that gives these answers, and fails the test when it is asked more or less often. */
const providerServer = (...replies: Reply[]) => startLoopback(replies.map((reply) => ({ reply })));
const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

function adapterFor(origin: string, options: Options = {}) {
  const all = { type: 'ai-sdk' as const, package: '@ai-sdk/openai-compatible', base_url: `${origin}/v1`, ...options };
  return createAiSdkAdapter(all, { root: process.cwd(), adapters: {}, env: { MY_KEY: 'key-1', TEAM: 'blue' } });
}

const hi: Message[] = [{ role: 'user', content: 'Hi' }];
const weather = {
  name: 'weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

function ask(
  origin: string,
  {
    messages = hi,
    config = {},
    options = {},
  }: { messages?: Message[]; config?: Partial<AdapterConfig>; options?: Options } = {},
) {
  return adapterFor(origin, options).sendTurn(messages, [weather], { model: 'm', ...config });
}

test('a conversation with tools is sent, and the answer is read', async () => {
  await using server = await providerServer(completion({ role: 'assistant', content: 'Sunny.' }));
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Bonn and Rome?' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [
        { id: 'a', name: 'weather', arguments: { city: 'Bonn' } },
        { id: 'b', name: 'weather', arguments: {}, raw_arguments: '{"city":' },
      ],
    },
    { role: 'tool_result', tool_call_id: 'a', name: 'weather', content: 'sunny', is_error: false },
    { role: 'tool_result', tool_call_id: 'b', name: 'weather', content: 'malformed', is_error: true },
  ];
  const result = await ask(server.url, { messages, config: { temperature: 0.5, maxTokens: 100, seed: 7 } });
  expect(result).toMatchObject({
    content: 'Sunny.',
    tool_calls: [],
    usage: { input_tokens: 11, output_tokens: 3 },
    finish_reason: 'stop',
  });
  expect(server.requests).toMatchObject([
    {
      path: '/v1/chat/completions',
      body: {
        model: 'm',
        temperature: 0.5,
        max_tokens: 100,
        seed: 7,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Bonn and Rome?' },
          {
            role: 'assistant',
            content: 'Looking.',
            tool_calls: [call('a', 'weather', '{"city":"Bonn"}'), call('b', 'weather', '{}')],
          },
          { role: 'tool', tool_call_id: 'a', content: 'sunny' },
          { role: 'tool', tool_call_id: 'b', content: 'malformed' },
        ],
        tools: [
          {
            type: 'function',
            function: { name: 'weather', description: 'The weather', parameters: weather.parameters },
          },
        ],
      },
    },
  ]);
});

test('parallel tool calls come back unexecuted, malformed and unknown ones included', async () => {
  const tool_calls = [
    call('a', 'weather', '{"city":"Bonn"}'),
    call('b', 'weather', '{"city":'),
    call('c', 'launch', '{"now":true}'),
    call('d', 'weather', '{"city":42}'),
  ];
  await using server = await providerServer(completion({ role: 'assistant', content: null, tool_calls }, 'tool_calls'));
  expect(await ask(server.url)).toMatchObject({
    content: null,
    tool_calls: [
      { id: 'a', name: 'weather', arguments: { city: 'Bonn' } },
      { id: 'b', name: 'weather', arguments: {}, raw_arguments: '{"city":' },
      { id: 'c', name: 'launch', arguments: { now: true } },
      { id: 'd', name: 'weather', arguments: { city: 42 } },
    ],
    finish_reason: 'tool_calls',
  });
  expect(server.requests).toHaveLength(1);
});

test("a provider's thoughts are kept, and handed back on the next turn", async () => {
  const message = {
    role: 'assistant',
    content: 'Hm.',
    reasoning_content: 'thinking',
    tool_calls: [call('a', 'weather', '{}')],
  };
  const reply = completion(message, 'tool_calls');
  await using server = await providerServer(reply, reply);
  const { content, tool_calls, provider_state } = await ask(server.url);
  expect(provider_state).toMatchObject({
    ai_sdk: expect.arrayContaining([expect.objectContaining({ type: 'reasoning' })]),
  });
  const stored = JSON.parse(JSON.stringify(provider_state));
  const messages: Message[] = [
    ...hi,
    { role: 'assistant', content, tool_calls, provider_state: stored },
    { role: 'tool_result', tool_call_id: 'a', name: 'weather', content: 'sunny', is_error: false },
  ];
  await ask(server.url, { messages });
  expect(server.requests[1]).toMatchObject({
    body: {
      messages: [
        { role: 'user' },
        { role: 'assistant', content: 'Hm.', reasoning_content: 'thinking' },
        { role: 'tool' },
      ],
    },
  });
});

test.each([
  ['length', 'length'],
  ['content_filter', 'content_filter'],
])('the finish reason %s is %s', async (theirs, ours) => {
  await using server = await providerServer(completion({ role: 'assistant', content: 'x' }, theirs));
  expect(await ask(server.url)).toMatchObject({ finish_reason: ours });
});

test('tokens that are not reported are unknown', async () => {
  await using server = await providerServer(completion({ role: 'assistant', content: 'x' }, 'stop', null));
  expect((await ask(server.url)).usage).toBeNull();
});

test('cached tokens are counted', async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 3,
    total_tokens: 103,
    prompt_tokens_details: { cached_tokens: 60 },
  };
  await using server = await providerServer(completion({ role: 'assistant', content: 'x' }, 'stop', usage));
  expect((await ask(server.url)).usage).toEqual({ input_tokens: 100, output_tokens: 3, cache_read_tokens: 60 });
});

test('key, headers and extras reach the provider', async () => {
  await using server = await providerServer(
    completion({ role: 'assistant', content: 'x', tool_calls: [call('a', 'weather', '{}')] }),
  );
  const extras = { top_p: 0.5, stop: 'END', reasoning_effort: 'low', tool_choice: { type: 'tool', name: 'weather' } };
  await ask(server.url, {
    config: { extras },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how salvo.yaml names a variable.
    options: { api_key_env: 'MY_KEY', headers: { 'X-Team': '${TEAM}' } },
  });
  expect(server.requests).toMatchObject([
    {
      headers: { authorization: 'Bearer key-1', 'x-team': 'blue' },
      body: {
        top_p: 0.5,
        stop: ['END'],
        reasoning_effort: 'low',
        tool_choice: { type: 'function', function: { name: 'weather' } },
      },
    },
  ]);
  await expect(ask(server.url, { options: { api_key_env: 'NOT_SET' } })).rejects.toMatchObject({ kind: 'auth' });
});

test.each([
  [401, 'auth', false],
  [404, 'not_found', false],
  [400, 'bad_request', false],
  [429, 'rate_limit', true],
  [500, 'server', true],
  [529, 'overloaded', true],
])('status %i is %s, is asked once, and its Retry-After is kept', async (status, kind, retryable) => {
  await using server = await providerServer(failure(status));
  await expect(ask(server.url)).rejects.toMatchObject({
    kind,
    status,
    retryable,
    retryAfterSeconds: 9,
    message: expect.stringContaining('openai-compatible (m): because'),
  });
  expect(server.requests).toHaveLength(1);
});

test('a request that a content filter blocks is named as such, and not tried again', async () => {
  const error = { message: 'The prompt was filtered.', code: 'content_filter' };
  await using server = await providerServer({ status: 400, json: { error } });
  await expect(ask(server.url)).rejects.toMatchObject({
    kind: 'content_filter',
    retryable: false,
    message: expect.stringContaining('The content filter of openai-compatible blocked the request or its answer (400)'),
  });
});

test.each([
  ['<html>not json</html>', 'bad_response'],
  ['{}', 'bad_response'],
  ['', 'bad_response'],
])('the body %j is %s', async (body, kind) => {
  await using server = await providerServer({ text: body, contentType: 'application/json' });
  await expect(ask(server.url)).rejects.toMatchObject({ kind, retryable: false });
});

test('a connection that is cut in mid-body can be tried again', async () => {
  await using server = await providerServer({ cutAfter: '{"id":' });
  await expect(ask(server.url)).rejects.toMatchObject({ kind: 'connection', retryable: true });
});

test('an address where no server listens can be tried again', async () => {
  const server = await providerServer();
  await server[Symbol.asyncDispose]();
  await expect(ask(server.url)).rejects.toMatchObject({ kind: 'connection', retryable: true });
});

test('an answer that never comes is a timeout', async () => {
  await using server = await providerServer('hang');
  await expect(ask(server.url, { options: { timeout_seconds: 0.5 } })).rejects.toMatchObject({ kind: 'timeout' });
});

test('a cancelled request is aborted', async () => {
  const controller = new AbortController();
  await using server = await startLoopback([{ reply: 'hang', expect: () => controller.abort() }]);
  const aborted = ask(server.url, { config: { signal: controller.signal } });
  await expect(aborted).rejects.toMatchObject({ kind: 'aborted' });
});

test('a model that does not call the tool it should has still answered', async () => {
  await using server = await providerServer(completion({ role: 'assistant', content: 'I would rather talk.' }));
  const config = { extras: { tool_choice: 'required' } };
  expect(await ask(server.url, { config })).toMatchObject({ content: 'I would rather talk.', tool_calls: [] });
});

test('a package that is not installed is named with the command that installs it', async () => {
  const answer = ask('http://127.0.0.1:9', { options: { package: '@ai-sdk/no-such-provider' } });
  await expect(answer).rejects.toMatchObject({
    kind: 'missing_dependency',
    message: expect.stringMatching(/Run: npm install @ai-sdk\/no-such-provider$/),
  });
});

test('the provider is named after its package', () => {
  expect(adapterFor('http://127.0.0.1:9').providerName()).toBe('openai-compatible');
});

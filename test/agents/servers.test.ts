import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LLMock } from '@copilotkit/aimock';
import { createUIMessageStream, createUIMessageStreamResponse } from 'ai';
import { expect, onTestFinished, test } from 'vitest';
import type { AdapterConfig } from '../../packages/salvo/src/adapters/adapter.ts';
import type { OptionsOf } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { createHttpAdapter } from '../../packages/salvo/src/adapters/agent/http.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: { port?: number } = Object(server.address());
  return `http://127.0.0.1:${port}/chat`;
}

/** A server that answers each request with the next of these, and remembers the requests. */
async function scripted(answers: readonly ((response: ServerResponse) => void)[]) {
  const requests: unknown[] = [];
  const url = await serve(async (request: IncomingMessage, response) => {
    requests.push(await json(request));
    const answer = answers[requests.length - 1];
    if (!answer) throw new Error(`request ${requests.length} was not expected`);
    answer(response);
  });
  return { url, requests };
}

const body =
  (value: unknown, type = 'application/json') =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': type }).end(typeof value === 'string' ? value : JSON.stringify(value));
const events = (...data: unknown[]) =>
  body(data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''), 'text/event-stream');

const HI: Message[] = [{ role: 'user', content: 'Hi' }];
const CONFIG: AdapterConfig = {
  model: 'm',
  conversation: { id: 'trial-1', seed: 1, trialNumber: 1, request: 0, row: { order: 'A-1' }, share: { db: 'x' } },
};

function adapterOf(options: Partial<OptionsOf<'http'>> & { url: string }) {
  return createHttpAdapter({ type: 'http', ...options }, { root: '/', adapters: {}, env: {} });
}

function ask(options: Partial<OptionsOf<'http'>> & { url: string }, config = CONFIG) {
  return adapterOf(options).sendTurn(HI, [], config);
}

test('a server has its own request and response, and a session that it gives itself', async () => {
  const answer = (text: string) =>
    body({ data: { reply: text }, sid: 'S-9', meta: { in: 12, out: 5, usd: 0.002, llm: 'gpt-4o' } });
  const { url, requests } = await scripted([answer('Hello.'), answer('Bye.'), answer('Hello.')]);
  const adapter = adapterOf({
    url,
    request: {
      query: '{{message}}',
      session_id: '{{session}}',
      order: '{{row.order}}',
      db: '{{share.db}}',
      beta: true,
    },
    response: {
      text: 'data.reply',
      session: 'sid',
      input_tokens: 'meta.in',
      output_tokens: 'meta.out',
      cost_usd: 'meta.usd',
      model: 'meta.llm',
    },
  });
  const first = await adapter.sendTurn(HI, [], CONFIG);
  expect(first).toMatchObject({ content: 'Hello.', model: 'gpt-4o', cost_usd: 0.002 });
  expect(first.usage).toMatchObject({ input_tokens: 12, output_tokens: 5 });
  const later: Message[] = [
    ...HI,
    { role: 'assistant', content: 'Hello.', tool_calls: [] },
    { role: 'user', content: 'Bye' },
  ];
  expect((await adapter.sendTurn(later, [], CONFIG)).content).toBe('Bye.');
  adapter.endConversation?.('trial-1');
  await adapter.sendTurn(HI, [], CONFIG);
  const sent = { order: 'A-1', db: 'x', beta: true };
  expect(requests).toEqual([
    { query: 'Hi', ...sent },
    { query: 'Bye', session_id: 'S-9', ...sent },
    { query: 'Hi', ...sent },
  ]);
});

test('calls with a result were made by the server; without one, Salvo answers them', async () => {
  const { url } = await scripted([
    body({
      text: 'Done.',
      steps: [
        { tool: 'look', args: '{"id":1}', output: { ok: true } },
        { tool: 'pay', error: 'no' },
      ],
    }),
    body({ text: '', steps: [{ name: 'look', arguments: { id: 1 } }] }),
  ]);
  const response = { text: 'text', tool_calls: 'steps' };
  expect((await ask({ url, response })).trace?.messages).toMatchObject([
    { role: 'assistant', tool_calls: [{ name: 'look', arguments: { id: 1 } }, { name: 'pay' }] },
    { role: 'tool_result', name: 'look', content: '{"ok":true}', is_error: false },
    { role: 'tool_result', name: 'pay', content: 'no', is_error: true },
    { role: 'assistant', content: 'Done.' },
  ]);
  expect((await ask({ url, response })).tool_calls).toMatchObject([{ name: 'look', arguments: { id: 1 } }]);
});

test('expressions are applied to each event of a stream', async () => {
  const sse =
    'event: token\ndata: {"t":"Hel"}\n\nevent: token\ndata: {"t":"lo"}\n\nevent: end\ndata: {"t":"!","sid":"S"}\n\n';
  const { url } = await scripted([
    body(sse, 'text/event-stream'),
    body('{"t":"a"}\n{"t":"b"}\n', 'application/x-ndjson'),
    body('data: plain\n\ndata: text\n\n', 'text/event-stream'),
  ]);
  expect((await ask({ url, response: "event == 'token' && t || null" })).content).toBe('Hello');
  expect((await ask({ url, response: 't' })).content).toBe('ab');
  expect((await ask({ url, response: '@' })).content).toBe('plaintext');
});

test('streams of OpenAI, Anthropic and the Responses API are put together', async () => {
  const mock = new LLMock();
  mock.onMessage('Hi', { content: 'Hello there.', toolCalls: [{ name: 'look', arguments: '{"id":1}' }] });
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  const streamed = { model: '{{model}}', messages: '{{messages}}', stream: true, max_tokens: 100 };
  const tool_calls = [{ name: 'look', arguments: { id: 1 } }];
  const expected = { content: 'Hello there.', tool_calls };
  const chat = { url: `${url}/v1/chat/completions`, messages_as: 'openai' as const, request: streamed };
  expect(await ask(chat)).toMatchObject(expected);
  const anthropic = { url: `${url}/v1/messages`, messages_as: 'anthropic' as const, request: streamed };
  expect(await ask(anthropic)).toMatchObject(expected);
  const request = { model: '{{model}}', input: '{{messages}}', stream: true };
  expect(await ask({ url: `${url}/v1/responses`, messages_as: 'responses', request })).toMatchObject(expected);
});

test('the UI message stream of the AI SDK is put together, with calls, results and reasoning', async () => {
  const stream = createUIMessageStream({
    execute: ({ writer }) => {
      writer.write({ type: 'start' });
      writer.write({ type: 'start-step' });
      writer.write({ type: 'reasoning-start', id: 'r' });
      writer.write({ type: 'reasoning-delta', id: 'r', delta: 'Hm.' });
      writer.write({ type: 'reasoning-end', id: 'r' });
      writer.write({ type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: { id: 1 } });
      writer.write({ type: 'tool-output-available', toolCallId: 'c', output: { ok: true } });
      writer.write({ type: 'finish-step' });
      writer.write({ type: 'start-step' });
      for (const delta of ['Hel', 'lo.']) writer.write({ type: 'text-delta', id: 't', delta });
      writer.write({ type: 'finish' });
    },
  });
  const response = createUIMessageStreamResponse({ stream });
  const { url } = await scripted([body(await response.text(), 'text/event-stream')]);
  const result = await ask({ url });
  expect(result.messages).toMatchObject([
    { role: 'assistant', tool_calls: [{ name: 'look', arguments: { id: 1 } }], reasoning: 'Hm.' },
    { role: 'tool_result', name: 'look', content: '{"ok":true}' },
    { role: 'assistant', content: 'Hello.' },
  ]);
});

const answer = { content: 'Hello.' };
const said = (text: string) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });
const chunk = (choice: object) => ({ choices: [{ index: 0, ...choice }] });
const wholeChoice = { message: { role: 'assistant', ...answer }, finish_reason: 'stop' };
const piece = (content: string) => ({ type: 'AIMessageChunk', id: 'm', content });

test.each<[string, unknown[]]>([
  ['chunks of Gemini', [said('Hel'), { candidates: [{ ...said('lo.').candidates[0], finishReason: 'STOP' }] }]],
  ['pieces of a message of LangChain', [piece('Hel'), piece('lo.')]],
  [
    'pieces with their metadata',
    [
      [piece('Hel'), {}],
      [piece('lo.'), {}],
    ],
  ],
  ['chunks that end with the whole message', [chunk({ delta: { content: 'Hel' } }), chunk(wholeChoice)]],
  ['one event that is a whole completion', [chunk(wholeChoice)]],
  [
    'other events, of which the last is the answer',
    [
      { type: 'token', text: 'Hel' },
      { type: 'finish', ...answer },
    ],
  ],
  ['states, and then an answer', [{ messages: [{ role: 'user', content: 'Hi' }] }, answer]],
])('a stream of %s is put together', async (_, data) => {
  const { url } = await scripted([events(...data)]);
  const result = await ask({ url });
  expect(result.content).toBe('Hello.');
});

test.each([
  [
    'a text that is missing',
    body({ reply: 'x' }),
    { response: 'data.text' },
    /nothing is at "data\.text" \(response of the adapter\)\. It answered: \{"reply":"x"\}/,
  ],
  ['a text that is a number', body({ text: 4 }), { response: 'text' }, /"text" \(text\) should be a text, but is 4/],
  [
    'tokens that are a text',
    body({ text: 'a', n: 'x' }),
    { response: { text: 'text', input_tokens: 'n' } },
    /"input_tokens" should be a number/,
  ],
  [
    'a call without a name',
    body({ text: 'a', c: [{}] }),
    { response: { text: 'text', tool_calls: 'c' } },
    /a tool call has no "name"/,
  ],
  [
    'an error in the answer',
    body({ text: 'a', e: 'quota' }),
    { response: { text: 'text', error: 'e' } },
    /it reported an error: quota/,
  ],
  ['JSON that is nested too deeply', body(`${'['.repeat(5000)}${']'.repeat(5000)}`), { response: '@' }, /levels deep/],
  [
    'broken JSON',
    body('{"text": "a'),
    { response: 'text' },
    /nothing is at "text" \(response of the adapter\)\. It answered: \{"text": "a/,
  ],
  ['a page', body('<html>Sign in</html>', 'text/html'), {}, /not JSON: <html>Sign in/],
  ['a stream without events', events(), {}, /a stream without events/],
  [
    'a stream of an unknown form',
    events({ foo: 1 }),
    {},
    /a stream of an unknown form\. Its last event: \{"foo":1\}\n`response`/,
  ],
  [
    'a stream that breaks off',
    events({ choices: [{ delta: { content: 'Hel' } }] }),
    {},
    /broke off: its stream of 1 events has no end/,
  ],
  [
    'an error in a stream',
    events({ type: 'error', error: { message: 'Overloaded' } }),
    {},
    /reported an error: Overloaded/,
  ],
  [
    'an error beside a choice',
    events({ choices: [{ delta: { content: '' }, finish_reason: 'error' }], error: { code: 502, message: 'Gone' } }),
    {},
    /reported an error: Gone/,
  ],
  [
    'an aborted stream of a page',
    events({ type: 'start' }, { type: 'text-delta', id: 't', delta: 'Hel' }, { type: 'abort' }),
    {},
    /broke off: its stream of 3 events has no end/,
  ],
  [
    'chunks with wrong types',
    events({ choices: [{ delta: { content: 4 } }] }),
    {},
    /stream\[0\]\.choices\[0\]\.delta\.content: Invalid input/,
  ],
  [
    'an event that is nested too deeply',
    body(`data: ${'['.repeat(5000)}${']'.repeat(5000)}\n\n`, 'text/event-stream'),
    {},
    /levels deep/,
  ],
  ['half of an event', body('data: {"choices": [{"del', 'text/event-stream'), {}, /unknown form/],
])('%s is an error that says what came', async (_, answer, options, message) => {
  const { url } = await scripted([answer]);
  await expect(ask({ url, ...options })).rejects.toThrow(message);
});

test('an endless stream ends with the time of the request, and a huge one at the limit', async () => {
  const endless = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"choices":[]}\n\n');
  });
  await expect(ask({ url: endless, timeout_seconds: 0.05 })).rejects.toThrow(/within 0\.05 s/);
  const huge = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const block = `data: ${'x'.repeat(1024 * 1024)}\n\n`;
    const more = (): void => {
      if (!response.destroyed) response.write(block, more);
    };
    more();
  });
  await expect(ask({ url: huge })).rejects.toThrow(/more than 50 MB/);
});

test('a request for a column that the row lacks is not sent', async () => {
  const { url, requests } = await scripted([]);
  await expect(ask({ url, request: { q: '{{row.question}}' } })).rejects.toThrow(
    /the request has \{\{row\.question\}\}/,
  );
  expect(requests).toEqual([]);
});

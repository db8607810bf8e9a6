import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { AdapterConfig } from '../adapter.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';
import { createHttpAdapter } from './http.ts';

type Options = Partial<Extract<AdapterOptions, { type: 'http' }>>;

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/agent`, [Symbol.asyncDispose]: close };
}

function send(
  url: string,
  options: Options = {},
  config: Partial<AdapterConfig> = {},
  env: Record<string, string> = {},
) {
  const adapter = createHttpAdapter({ type: 'http', url, ...options }, { root: '/', adapters: {}, env });
  return adapter.sendTurn([{ role: 'user', content: 'Hi' }], [], { model: 'm', ...config });
}

const reply =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

test('the task is posted as JSON, and the body is the answer', async () => {
  await using server = await serve(async (request, response) => {
    const seen = {
      method: request.method,
      type: request.headers['content-type'],
      body: JSON.parse(await text(request)),
    };
    response.end(JSON.stringify({ content: JSON.stringify(seen), tool_calls: [{ name: 'look' }] }));
  });
  const result = await send(server.url, {}, { conversation: { id: 'c', seed: 1, trialNumber: 1, request: 4 } });
  expect(JSON.parse(result.content ?? '')).toEqual({
    method: 'POST',
    type: 'application/json',
    body: {
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [],
      config: { model: 'm' },
      conversation: { id: 'c', seed: 1, trial_seed: expect.any(Number), trial_number: 1, request: 4 },
    },
  });
  expect(result.tool_calls).toEqual([{ id: 'call_4_0', name: 'look', arguments: {} }]);
});

test.each(['PUT', 'PATCH'] as const)('the task may be sent by %s', async (method) => {
  await using server = await serve(async (request, response) => {
    response.end(JSON.stringify({ content: `${request.method} ${await text(request)}` }));
  });
  const request = { q: '{{message}}' };
  expect((await send(server.url, { method, request })).content).toBe(`${method} {"q":"Hi"}`);
});

test('by GET, the template becomes the query: texts, numbers, lists, maps, beside what the URL has', async () => {
  await using server = await serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const seen = { method: request.method, type: request.headers['content-type'], body: await text(request) };
    response.end(JSON.stringify({ content: JSON.stringify({ ...seen, query: [...searchParams] }) }));
  });
  const request = {
    ...{
      q: '{{message}}',
      top: 3,
      tags: ['a', '{{message}}'],
      filter: { on: true },
      none: null,
      session: '{{session}}',
    },
    v: 'new & old',
  };
  const { content } = await send(`${server.url}?key=k&v=old`, { method: 'GET', request });
  expect(JSON.parse(content ?? '')).toEqual({
    ...{ method: 'GET', body: '' },
    query: [
      ...[
        ['key', 'k'],
        ['q', 'Hi'],
        ['top', '3'],
        ['tags', 'a'],
        ['tags', 'Hi'],
      ],
      ...[
        ['filter', '{"on":true}'],
        ['v', 'new & old'],
      ],
    ],
  });
});

test('the key and the headers come from the environment', async () => {
  await using server = await serve((request, response) => {
    const { authorization, 'x-team': team } = request.headers;
    response.end(JSON.stringify({ content: `${authorization} ${team}` }));
  });
  const options: Options = { api_key_env: 'AGENT_KEY', headers: { 'X-Team': '${' + 'TEAM}' } };
  expect((await send(server.url, options, {}, { AGENT_KEY: 'k', TEAM: 'blue' })).content).toBe('Bearer k blue');
  await expect(send(server.url, options, {}, { TEAM: 'blue' })).rejects.toMatchObject({
    kind: 'auth',
    message: expect.stringContaining('AGENT_KEY'),
  });
});

test('a key that is not allowed in a header is not shown in the error', async () => {
  const answer = send('http://127.0.0.1:9/', { api_key_env: 'AGENT_KEY' }, {}, { AGENT_KEY: 'sec\nret' });
  await expect(answer).rejects.toMatchObject({ kind: 'auth', message: expect.not.stringContaining('sec') });
});

test.each([
  [401, 'auth', false],
  [404, 'not_found', false],
  [422, 'bad_request', false],
  [429, 'rate_limit', true],
  [500, 'server', true],
  [529, 'overloaded', true],
])('status %i is %s', async (status, kind, retryable) => {
  await using server = await serve(reply(status, '{"error":{"message":"because"}}', { 'retry-after': '7' }));
  await expect(send(server.url)).rejects.toMatchObject({
    kind,
    status,
    retryable,
    retryAfterSeconds: 7,
    message: expect.stringContaining(`/agent answered with status ${status}: because`),
  });
});

test.each([
  ['{"error":"because"}', 'because'],
  ['{"detail":"because"}', 'because'],
  ['<h1>because</h1>', '<h1>because</h1>'],
  ['[1]', '[1]'],
  ['', 'status 500.'],
])('the message of an error is found in %j', async (body, words) => {
  await using server = await serve(reply(500, body));
  await expect(send(server.url)).rejects.toThrow(words);
});

test('a redirect is not followed, so that no key is sent to another address', async () => {
  let asked = 0;
  await using other = await serve((_, response) => {
    asked += 1;
    response.end('{"content":"stolen"}');
  });
  await using server = await serve(reply(307, '', { location: other.url }));
  await expect(send(server.url, { headers: { 'x-key': 'secret' } })).rejects.toThrow(`a redirect to ${other.url}`);
  expect(asked).toBe(0);
});

test.each([
  ['', 'an empty answer'],
  ['<html>', 'not JSON: <html>'],
  ['{"content": 1}', 'content: expected a text'],
])('the body %j is refused', async (body, problem) => {
  await using server = await serve(reply(200, body));
  await expect(send(server.url)).rejects.toMatchObject({
    kind: 'bad_response',
    message: expect.stringContaining(problem),
  });
});

test('a connection that is cut in mid-body can be tried again', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"content":', () => response.destroy());
  });
  await expect(send(server.url)).rejects.toMatchObject({ kind: 'connection', retryable: true });
});

test('an address where no server listens can be tried again', async () => {
  const server = await serve(() => {});
  await server[Symbol.asyncDispose]();
  await expect(send(server.url)).rejects.toMatchObject({
    kind: 'connection',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test.each(['before the headers', 'in mid-body'])('an answer that stops %s is a timeout', async (when) => {
  await using server = await serve((_, response) => {
    if (when === 'in mid-body') response.write('{');
  });
  await expect(send(server.url, { timeout_seconds: 0.2 })).rejects.toMatchObject({ kind: 'timeout', retryable: true });
});

test('a cancelled trial closes the connection', async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<string>();
  await using server = await serve((request) => {
    request.socket.once('close', () => closed.resolve('closed'));
    controller.abort();
  });
  await expect(send(server.url, {}, { signal: controller.signal })).rejects.toMatchObject({ kind: 'aborted' });
  await expect(closed.promise).resolves.toBe('closed');
});

test('an endless answer is refused', async () => {
  await using server = await serve((_, response) => {
    const chunk = Buffer.alloc(1 << 20, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', write);
    };
    write();
  });
  await expect(send(server.url)).rejects.toMatchObject({
    kind: 'bad_response',
    message: expect.stringContaining('50 MB'),
  });
});

test('the parts of a URL beside its origin and path are not in messages', async () => {
  await using server = await serve(reply(500, ''));
  await expect(send(`${server.url}?key=secret`)).rejects.toMatchObject({
    message: expect.not.stringContaining('secret'),
  });
});

test('an answer that cannot be decompressed is a bad answer, not a broken connection', async () => {
  await using server = await serve(reply(200, 'plain', { 'content-encoding': 'gzip' }));
  await expect(send(server.url)).rejects.toMatchObject({
    kind: 'bad_response',
    message: expect.stringContaining('sent an answer that could not be read'),
  });
});

test.each([
  ['', undefined, { choices: [{ index: 0, delta: { content: 'We' } }] }, [{ choices: [expect.anything()] }]],
  [' by its expression', 'say', { say: 'We' }, ['We']],
])('a stream that never ends is a timeout that counts its events, and what was said is kept%s', async (...row) => {
  const [, response, event, kept] = row;
  await using server = await serve((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write(`: begin\n\ndata: ${JSON.stringify(event)}\n\n`);
  });
  const chunks: unknown[] = [];
  const config = { chunk: (json: string) => chunks.push(JSON.parse(json)) };
  const errorWithin = (seconds: number) =>
    send(server.url, { timeout_seconds: seconds, response }, config).catch((error) => error);
  let error = await errorWithin(0.2);
  // On a busy machine the event may come later.
  if (chunks.length === 0) error = await errorWithin(5);
  expect(error).toMatchObject({
    kind: 'timeout',
    message: expect.stringMatching(/did not end its stream \(1 event came\) within [\d.]+ s/),
  });
  expect(chunks).toEqual(kept);
});

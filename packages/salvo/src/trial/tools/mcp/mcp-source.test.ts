import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../../../../../test/is-alive.ts';
import { startHttpShop } from '../../../../../../test/mcp/http-shop.ts';
import { TRIAL_CONTEXT } from '../../../../../../test/sample-trial-context.ts';
import { isThorough } from '../../../../../../test/thorough.ts';
import { clientOfVersion } from './mcp-client.ts';
import type { McpServer } from './mcp-connection.ts';
import { listTools, mcpSource } from './mcp-source.ts';

const SERVERS = resolve(import.meta.dirname, '../../../../../../test/mcp');
const [v1, v2] = [clientOfVersion(1, SERVERS), clientOfVersion(2, SERVERS)];
const { signal } = new AbortController();

function program(file: string, fault: string, fields: Partial<McpServer> = {}): McpServer {
  const env = { PATH: process.env.PATH ?? '' };
  const command = [process.execPath, file, fault];
  const reached = { command, cwd: SERVERS, env, permitted: { command, cwd: SERVERS, env: [] } };
  return { label: `${file} ${fault}`, reached, timeoutSeconds: 30, client: v2, redact: (text) => text, ...fields };
}

/** The tools of a server in one trial, and what ends it. */
async function trialOf(server: McpServer, resources = false) {
  const tools = await listTools(server, { label: server.label, resources }, signal);
  const trial = await mcpSource(() => server, tools).start(TRIAL_CONTEXT);
  return {
    names: tools.map(({ name }) => name),
    call: (name: string, args: Record<string, unknown> = {}) =>
      trial.answer({ id: 'call_1', name, arguments: args }, signal),
    [Symbol.asyncDispose]: async () => trial.end?.(),
  };
}

describe.each<[string, typeof v2]>([
  ['version 2', v2],
  ...(isThorough() ? [['version 1', v1] as [string, typeof v2]] : []),
])('with %s of the client', (_, client) => {
  test('a program answers the calls of one trial, and the next trial has a new one', async () => {
    const server = program('shop-server.mjs', '', { client });
    const pids: number[] = [];
    for (let trial = 0; trial < 2; trial += 1) {
      await using shop = await trialOf(server, true);
      expect(shop.names).toContain('photo_of');
      expect((await shop.call('lookup_order', { id: 'A-2' })).content).toBe('{"id":"A-2","status":"open"}');
      pids.push(Number(/\d+/.exec((await shop.call('cancel_order', { id: 'A-2' })).content)?.[0]));
      expect((await shop.call('lookup_order', { id: 'A-2' })).content).toContain('cancelled');
      expect(await shop.call('lookup_order', { id: 'B' })).toMatchObject({ is_error: true });
      expect(await shop.call('lookup_order', {})).toMatchObject({ is_error: true });
      expect((await shop.call('photo_of', { id: 'B' })).files).toMatchObject([{ media_type: 'image/png' }]);
      expect((await shop.call('read_resource', { uri: 'shop://policy' })).content).toBe('Refunds within 30 days.');
      expect((await shop.call('list_resources')).content).toContain('shop://policy');
    }
    expect(new Set(pids).size).toBe(2);
    await expect.poll(() => pids.some(isAlive)).toBe(false);
  });

  test('a server behind a URL is called with its headers', async () => {
    await using shop = await startHttpShop();
    const reached = { url: new URL(shop.url), headers: { authorization: 'Bearer abc' } };
    await using trial = await trialOf({ ...program('', '', { client }), reached });
    expect((await trial.call('stock')).content).toBe('3 kettles');
    expect(new Set(shop.authorizations)).toEqual(new Set(['Bearer abc']));
  });

  test.each([
    ['never', 'ended with exit code 7 before it could start.\nIts last lines:\ncannot open the database'],
    [
      'dies',
      'ended with exit code 3 before it could answer a call of "lookup_order".\nIts last lines:\nError: the database',
    ],
    ['huge', 'wrote a message of more than 32 MB'],
  ])('a server that fails (%s) fails the call, with its last lines', async (fault, words) => {
    const call = async () => {
      await using shop = await trialOf(program('shop-server.mjs', fault, { client }));
      await shop.call('lookup_order', { id: 'A-1' });
    };
    await expect(call()).rejects.toMatchObject({
      code: 'MCP_SERVER_FAILED',
      message: expect.stringContaining(words),
    });
  });

  const callWithin = async (fault: string, timeoutSeconds: number) => {
    await using shop = await trialOf(program('shop-server.mjs', fault, { client, timeoutSeconds }));
    await shop.call('lookup_order', { id: 'A-1' });
  };

  test('a server that does not start in time fails the call', async () => {
    await expect(callWithin('silent', 0.3)).rejects.toMatchObject({
      code: 'MCP_SERVER_TIMEOUT',
      message: expect.stringContaining('did not start within 0.3 s'),
    });
  });

  test('a server that does not answer in time fails the call', async () => {
    const failure = (seconds: number) => callWithin('hangs', seconds).catch((error: unknown) => error);
    const quick = await failure(1);
    // On a busy machine, a server needs longer to start.
    const isLate = quick instanceof Error && quick.message.includes('did not start');
    expect(isLate ? await failure(10) : quick).toMatchObject({
      code: 'MCP_SERVER_TIMEOUT',
      message: expect.stringMatching(/did not answer a call of "lookup_order" within 10? s/),
    });
  });

  test.each(['twice', 'garbage', 'deep', 'asks', 'late', 'noisy'])(
    'a server that breaks rules (%s) is understood',
    async (fault) => {
      await using shop = await trialOf(program('hostile-server.mjs', fault, { client }));
      expect((await shop.call('stock')).content).toBe('3 kettles');
      expect((await shop.call('stock')).content).toBe('3 kettles');
    },
  );

  test.each([['error', 'the shop is closed']])(
    'an error that a server answers with is the error of the tool',
    async (fault, content) => {
      await using shop = await trialOf(program('hostile-server.mjs', fault, { client }));
      expect(await shop.call('stock')).toMatchObject({ content, is_error: true });
    },
  );

  test.each([
    ['no-capabilities', /^MCP_SERVER_FAILED .* could not start/],
    ['list-of-nothing', /^MCP_SERVER_FAILED .* could not answer the list of its tools/],
    ['not-a-result', /^MCP_SERVER_FAILED .* could not answer a call of "stock"/],
    ['many', /^MCP_TOOLS_INVALID .* has 10000 tools/],
  ])('an answer that is none (%s) is named', async (fault, words) => {
    const call = async () => {
      await using shop = await trialOf(program('hostile-server.mjs', fault, { client }));
      await shop.call('stock');
    };
    const problem = await call().then(
      () => 'none',
      ({ code, message }) => `${code} ${message}`,
    );
    expect(problem).toMatch(words);
  });
});

test('a list without an end is cut off', async () => {
  const tools = listTools(program('hostile-server.mjs', 'endless'), { label: 'x', resources: false }, signal);
  await expect(tools).resolves.toHaveLength(100);
});

test('a server that knows only the newest protocol is understood by version 2 of the client', async () => {
  await using shop = await trialOf(program('shop-server.mjs', 'modern'));
  expect((await shop.call('stock')).content).toBe('{"kettles":3}');
  const old = trialOf(program('shop-server.mjs', 'modern', { client: v1 }));
  await expect(old).rejects.toThrow('Unsupported protocol version');
});

test('what a server started is ended with it', async () => {
  let child = 0;
  {
    await using shop = await trialOf(program('hostile-server.mjs', 'children'));
    child = Number((await shop.call('stock')).content);
    expect(isAlive(child)).toBe(true);
  }
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
});

test('a call that is stopped ends with the reason, and so does the server', async () => {
  const server = program('shop-server.mjs', 'hangs');
  const tools = await listTools(server, { label: 'x', resources: false }, signal);
  const trial = await mcpSource(() => server, tools).start(TRIAL_CONTEXT);
  const stop = new AbortController();
  const answer = trial.answer({ id: '1', name: 'lookup_order', arguments: { id: 'A-1' } }, stop.signal);
  stop.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  await trial.end?.();
});

test.each([
  [{ status: 500 }, 'MCP_SERVER_FAILED'],
  [{ status: 401 }, 'MCP_SERVER_FAILED'],
  [
    { status: 302, location: 'http://elsewhere.example/' },
    'a redirect to http://elsewhere.example/, which is not followed',
  ],
])('a URL that answers with %j is no server', async (answer, words) => {
  await using shop = await startHttpShop(answer);
  const reached = { url: new URL(shop.url), headers: {} };
  const problem = await trialOf({ ...program('', ''), reached }).then(
    () => 'none',
    ({ code, message }) => `${code} ${message}`,
  );
  expect(problem).toContain(words);
});

test('a server that is not there is named with the reason', async () => {
  const shop = await startHttpShop();
  await shop[Symbol.asyncDispose]();
  const reached = { url: new URL(shop.url), headers: {} };
  await expect(trialOf({ ...program('', ''), reached })).rejects.toThrow('ECONNREFUSED');
});

test('a program that does not exist is named', async () => {
  const { reached } = program('', '');
  const server = { ...program('', ''), reached: { ...reached, command: ['no-such-program'] } };
  await expect(trialOf(server)).rejects.toThrow(
    'could not be started: there is no program no-such-program on this machine.',
  );
});

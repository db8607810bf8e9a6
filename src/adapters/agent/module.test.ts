import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SalvoError } from '../../text/salvo-error.ts';
import type { AdapterConfig } from '../adapter.ts';
import { createModuleAdapter } from './module.ts';

function moduleAdapter(
  code: string,
  { name = 'agent.mjs', timeout_seconds }: { name?: string; timeout_seconds?: number } = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'salvo-module-'));
  writeFileSync(join(root, name), code);
  return createModuleAdapter({ type: 'module', path: `./${name}`, timeout_seconds }, { root, adapters: {}, env: {} });
}

function run(
  code: string,
  config: Partial<AdapterConfig> = {},
  options: { name?: string; timeout_seconds?: number } = {},
) {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  return moduleAdapter(code, options).sendTurn(messages, [], { model: 'm', ...config });
}

test('the text an agent returns is its final content', async () => {
  const result = await run('export default ({ messages, model }) => model + ": " + messages[0].content');
  expect(result).toMatchObject({ content: 'm: Hi', tool_calls: [], finish_reason: 'stop', usage: null });
  expect(result.trace).toBeUndefined();
});

test.each([
  ['export default async () => "x"', 'agent.mjs'],
  ['export const agent = () => "x"', 'agent.mjs'],
  ['export const version = 1; export function agent(): string { return "x"; }', 'agent.ts'],
  ['module.exports = () => "x"', 'agent.cjs'],
  ['module.exports = { agent: () => "x" }', 'agent.cjs'],
  ['export default { sendTurn: async () => ({ content: "x" }) }', 'agent.mjs'],
  ['export const adapter = { sendTurn: async () => ({ content: "x" }) }', 'agent.mjs'],
])('%s of %s is found', async (code, name) => {
  expect(await run(code, {}, { name })).toMatchObject({ content: 'x' });
});

test('an agent can return a turn or a trace', async () => {
  expect(await run('export default () => ({ content: "x", cost_usd: 1 })')).toMatchObject({
    content: 'x',
    cost_usd: 1,
  });
  const trace = await run('export default () => ({ messages: [{ role: "assistant", content: "x" }] })');
  expect(trace).toMatchObject({ content: 'x', trace: { messages: [{ role: 'assistant', content: 'x' }] } });
});

test("an agent's tool calls are answered from the mocks", async () => {
  const calls: unknown[] = [];
  const callTool = async (name: string, args: Record<string, unknown>) => {
    calls.push([name, args]);
    return { content: 'sunny', is_error: false };
  };
  const code =
    'export default async ({ callTool }) => (await callTool("weather", { city: "Bonn" })).content + (await callTool("time")).is_error';
  expect((await run(code, { callTool })).content).toBe('sunnyfalse');
  expect(calls).toEqual([
    ['weather', { city: 'Bonn' }],
    ['time', {}],
  ]);
  await expect(run(code)).rejects.toThrow('called the tool weather, but there are no tools here');
});

test('an error that the engine throws in a tool call passes through the agent unchanged', async () => {
  const error = new SalvoError('UNMOCKED', 'no mock');
  const answer = run('export default ({ callTool }) => callTool("x")', { callTool: () => Promise.reject(error) });
  await expect(answer).rejects.toBe(error);
});

test('an agent cannot change the messages of its trial', async () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const adapter = moduleAdapter(
    'export default ({ messages }) => { messages.push(1); messages[0].content = "spoilt"; return "x"; }',
  );
  await adapter.sendTurn(messages, [], { model: 'm' });
  expect(messages).toEqual([{ role: 'user', content: 'Hi' }]);
});

test('the module is loaded once, when it is first asked', async () => {
  const adapter = moduleAdapter('let count = 0; export default () => String(++count)');
  const turns = [adapter.sendTurn([], [], { model: 'm' }), adapter.sendTurn([], [], { model: 'm' })];
  expect((await Promise.all(turns)).map(({ content }) => content)).toEqual(['1', '2']);
});

test("a user's adapter keeps its name, its state and its raw response, and is closed", async () => {
  const adapter = moduleAdapter(`
    globalThis.salvoClosed = 0;
    export const adapter = {
      providerName: () => 'mine',
      sendTurn: async () => ({ content: null, tool_calls: [{ name: 'look' }], provider_state: [1], raw_response: { id: 7 } }),
      close: async () => { globalThis.salvoClosed += 1; },
    };
  `);
  expect(adapter.providerName()).toBe('module');
  expect(await adapter.sendTurn([], [], { model: 'm' })).toMatchObject({
    tool_calls: [{ id: 'call_0_0', name: 'look', arguments: {} }],
    provider_state: [1],
    raw_response: { id: 7 },
    finish_reason: 'tool_calls',
  });
  expect(adapter.providerName()).toBe('module');
  await adapter.close?.();
  expect(globalThis).toHaveProperty('salvoClosed', 1);
});

test("a user's adapter that throws an error with an HTTP status can be tried again", async () => {
  const code = `export default { async sendTurn() {
    throw Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'retry-after': '3' }) });
  } }`;
  await expect(run(code)).rejects.toMatchObject({
    kind: 'rate_limit',
    status: 429,
    retryAfterSeconds: 3,
    retryable: true,
  });
});

test.each([
  ['throw new Error("bad \\u0007code")', String.raw`threw an error: bad \u0007code`],
  ['throw new TypeError("")', 'threw an error: TypeError'],
  ['throw "text"', 'threw an error: text'],
  ['throw null', 'threw an error: null'],
  ['throw Object.create(null)', 'threw an error: an object with no fields'],
  ['const a = {}; a.a = a; return a', 'threw an error: Converting circular'],
  ['return { content: 1n }', 'threw an error: Do not know how to serialize a BigInt'],
  ['', 'but got null'],
  ['return 42', 'but got a number'],
  ['return {}', 'found an empty object'],
])('an agent whose code is "%s" gave no usable answer', async (body, problem) => {
  const answer = run(`export default async () => { ${body} }`);
  await expect(answer).rejects.toMatchObject({ kind: 'bad_response', message: expect.stringContaining(problem) });
});

test('an error of the agent keeps its cause', async () => {
  await expect(run('export default () => { throw new RangeError("deep"); }')).rejects.toHaveProperty(
    'cause.name',
    'RangeError',
  );
});

test('a module that is missing, broken or without a usable export says so', async () => {
  const context = { root: '/nowhere', adapters: {}, env: {} };
  const missing = createModuleAdapter({ type: 'module', path: 'agent.ts' }, context);
  await expect(missing.sendTurn([], [], { model: 'm' })).rejects.toThrow(
    'The module agent.ts was not found; looked for /nowhere/agent.ts',
  );
  await expect(run('throw new Error("at the top")')).rejects.toThrow('could not be loaded: at the top');
  await expect(run('export const run = () => "x"; export const setup = 1')).rejects.toThrow('it exports run, setup');
  await expect(run('')).rejects.toThrow('it exports nothing');
});

test('the trial does not wait for an agent that never ends, and its later tool calls do not count', async () => {
  const calls: string[] = [];
  const callTool = async (name: string) => {
    calls.push(name);
    return { content: '', is_error: false };
  };
  const code = `export default ({ callTool, signal }) => new Promise(() => {
    signal.addEventListener('abort', () => callTool('late').catch((error) => { globalThis.salvoLate = error.kind; }));
  })`;
  await expect(run(code, { callTool }, { timeout_seconds: 0.5 })).rejects.toMatchObject({ kind: 'timeout' });
  await expect.poll(() => globalThis).toHaveProperty('salvoLate', 'aborted');
  expect(calls).toEqual([]);
});

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Adapter, AdapterConfig } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { createModuleAdapter } from './module.ts';

interface Setting {
  name?: string;
  timeout_seconds?: number;
  isolate?: boolean;
}

const opened: Adapter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((adapter) => adapter.close?.()));
});

function moduleAdapter(code: string, { name = 'agent.mjs', ...setting }: Setting = {}): Adapter {
  const root = temporaryFolder();
  writeFileSync(join(root, name), code);
  const options = { type: 'module' as const, path: `./${name}`, ...setting };
  const adapter = createModuleAdapter(options, { root, adapters: {}, env: {} });
  opened.push(adapter);
  return adapter;
}

function run(code: string, config: Partial<AdapterConfig> = {}, setting: Setting = {}) {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  return moduleAdapter(code, setting).sendTurn(messages, [], { model: 'm', ...config });
}

/** Agents by their code. All are in one line of one module, so that they take one process. */
function agents(bodies: readonly string[]) {
  const functions = bodies.map((body) => `async () => { ${body} }`);
  const adapter = moduleAdapter(
    `const agents = [${functions.join(', ')}]; export default ({ messages }) => agents[messages[0].content]()`,
  );
  return (body: string) =>
    adapter
      .sendTurn([{ role: 'user', content: `${bodies.indexOf(body)}` }], [], { model: 'm' })
      .catch((error: unknown) => error);
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
  const error = new SalvoError('TOOL_CALL_FAILED', 'no mock');
  const answer = run('export default ({ callTool }) => callTool("x")', { callTool: () => Promise.reject(error) });
  await expect(answer).rejects.toBe(error);
});

test('an agent cannot change the messages of its trial', async () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const adapter = moduleAdapter(
    'export default ({ messages }) => { messages.push(1); messages[0].content = "spoilt"; return "x"; }',
    { isolate: false },
  );
  await adapter.sendTurn(messages, [], { model: 'm' });
  expect(messages).toEqual([{ role: 'user', content: 'Hi' }]);
});

test('in the process of Salvo, the module is loaded once, and trials share its state', async () => {
  const adapter = moduleAdapter('let count = 0; export default () => String(++count)', { isolate: false });
  const turns = [adapter.sendTurn([], [], { model: 'm' }), adapter.sendTurn([], [], { model: 'm' })];
  expect((await Promise.all(turns)).map(({ content }) => content)).toEqual(['1', '2']);
});

test("a user's adapter keeps its state, may return what JSON cannot write as its raw response, and is closed", async () => {
  const closed = join(temporaryFolder(), 'closed');
  const adapter = moduleAdapter(`
    import { writeFileSync } from 'node:fs';
    const circle = { id: 7 };
    circle.circle = circle;
    export const adapter = {
      providerName: () => 'mine',
      sendTurn: async () => ({ content: null, tool_calls: [{ name: 'look' }], provider_state: [1], raw_response: circle }),
      close: async () => writeFileSync(${JSON.stringify(closed)}, 'yes'),
    };
  `);
  expect(adapter.providerName()).toBe('module');
  expect(await adapter.sendTurn([], [], { model: 'm' })).toMatchObject({
    tool_calls: [{ id: 'call_0_0', name: 'look', arguments: {} }],
    provider_state: [1],
    finish_reason: 'tool_calls',
  });
  expect(adapter.providerName()).toBe('module');
  await adapter.close?.();
  expect(readFileSync(closed, 'utf8')).toBe('yes');
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

test("a user's adapter that breaks is no crash of the agent, and leaves its stack", async () => {
  await expect(run('export default { async sendTurn() { null.field } }')).rejects.toMatchObject({
    kind: 'bad_response',
    agentStack: expect.stringContaining('agent.mjs:1:'),
  });
});

test('an agent that throws crashed, whatever it throws', async () => {
  const problems = {
    'throw new Error("bad \\u0007code")': String.raw`threw an error: bad \u0007code`,
    'throw new TypeError("")': 'threw an error: TypeError',
    'throw "text"': 'threw an error: text',
    'throw null': 'threw an error: null',
    'throw Object.create(null)': 'threw an error: an object with no fields',
    'throw { message: "odd" }': 'threw an error: an object with message: odd',
    'throw Object.assign(new Error("no such page"), { status: 404 })': 'threw an error: no such page',
    'const { name } = undefined': 'threw an error: Cannot destructure',
  };
  const failureOf = agents(Object.keys(problems));
  for (const [body, problem] of Object.entries(problems)) {
    const message = expect.stringContaining(problem);
    expect(await failureOf(body), body).toMatchObject({ code: 'AGENT_CRASHED', retryable: false, message });
  }
});

test('a crash has the frames of the agent, with paths relative to its project, and its causes', async () => {
  const code = `
    function book(flight) { return flight.seats.length; }
    export default async () => {
      try { book({}); } catch (cause) { throw new Error('cannot book', { cause }); }
    };`;
  const error = await run(code).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'AGENT_CRASHED' });
  const stack = error instanceof AdapterError ? error.agentStack?.split('\n') : undefined;
  expect(stack).toEqual([
    'Error: cannot book',
    expect.stringMatching(/^ {4}at \w+ \(agent\.mjs:4:47\)$/),
    expect.stringMatching(/^ {4}\.\.\. and \d+ more frames of Node, Salvo and packages$/),
    "Caused by: TypeError: Cannot read properties of undefined (reading 'length')",
    '    at book (agent.mjs:2:49)',
    expect.stringMatching(/^ {4}at \w+ \(agent\.mjs:4:13\)$/),
    expect.stringMatching(/^ {4}\.\.\. and \d+ more frames/),
  ]);
});

test('an agent that could not call its model did not crash', async () => {
  const problems = {
    'throw Object.assign(new Error("slow down"), { status: 429 })': '429 slow down',
    'throw Object.assign(new Error("401 wrong key"), { statusCode: 401 })': ': 401 wrong key',
    'throw Object.assign(new Error("no such model"), { status: 404, request_id: "r" })': '404 no such model',
    'throw new Error("failed", { cause: Object.assign(new Error("busy"), { status: 503 }) })': '503 busy',
    'throw Object.assign(new Error("tried 3 times"), { name: "AI_RetryError", errors: [new Error("x")] })':
      'tried 3 times',
  };
  const failureOf = agents(Object.keys(problems));
  for (const [body, problem] of Object.entries(problems)) {
    expect(await failureOf(body), body).toMatchObject({
      code: 'AGENT_PROVIDER_FAILED',
      retryable: false,
      message: expect.stringContaining(problem),
      agentStack: expect.stringContaining('agent.mjs:1:'),
    });
  }
});

test('an agent whose server is down did not crash', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  server.close();
  await once(server, 'close');
  await expect(run(`export default () => fetch('http://127.0.0.1:${port}')`)).rejects.toMatchObject({
    code: 'AGENT_PROVIDER_FAILED',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('an agent that returns neither a text nor messages gave no usable answer', async () => {
  const problems = {
    'const a = {}; a.a = a; return a': 'cannot be written as JSON: Converting circular',
    'return { content: 1n }': 'cannot be written as JSON: Do not know how to serialize a BigInt',
    '': 'but got null',
    'return 42': 'but got a number',
    'return {}': 'found an empty object',
    'return (async function* () { yield 1; })()': 'messages[0]: expected a message',
    'return (async function* () { yield 1n; })()': 'cannot be written as JSON: Do not know how to serialize a BigInt',
    'let a = []; for (let i = 0; i < 500; i += 1) a = [a]; return { content: a }': 'nested more than 200 levels',
  };
  const failureOf = agents(Object.keys(problems));
  for (const [body, problem] of Object.entries(problems)) {
    const message = expect.stringContaining(problem);
    expect(await failureOf(body), body).toMatchObject({ kind: 'bad_response', message });
  }
});

test('an error in an answer keeps its message, and bytes are not copied', async () => {
  const code = `export default () => ({ steps: [{ content: [
    { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} },
    { type: 'tool-error', toolCallId: 'c', toolName: 'look', error: new RangeError('too far') },
    { type: 'file', file: { mediaType: 'image/png', uint8Array: new Uint8Array(9) } },
  ] }] })`;
  const { messages, raw_response } = await run(code);
  expect(messages).toMatchObject([
    { tool_calls: [{ name: 'look' }] },
    { role: 'tool_result', content: 'too far', is_error: true },
    { role: 'assistant', content: '[image]' },
  ]);
  expect(JSON.stringify(raw_response)).toContain('[9 bytes]');
});

test('an agent knows its run, its scenario and its trial', async () => {
  const code =
    'export default ({ runId, scenario, trialNumber, conversation }) => JSON.stringify([runId, scenario, trialNumber, conversation])';
  const conversation = { id: 'c', runId: 'r', scenario: 's', trialNumber: 3, seed: 1, request: 0 };
  expect((await run(code, { conversation })).content).toBe('["r","s",3,"c"]');
});

test('what agents print is kept with their trials, also when they run at the same time', async () => {
  const code = `export default async ({ messages, model }) => {
    console.log('hello from', model, { a: 1 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.stdout.write(Buffer.from(model));
    console.error('%s!', model);
    await new Promise((resolve) => process.stderr.write('last\\n', resolve));
    return 'x';
  }`;
  const adapter = moduleAdapter(code);
  let outside = '';
  using _ = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    outside += String(text);
    return true;
  });
  const logs = ['', '', ''];
  const ask = (index: number) => adapter.sendTurn([], [], { model: `m${index}`, log: (text) => (logs[index] += text) });
  await Promise.all([ask(0), ask(1), ask(2)]);
  expect(logs).toEqual([0, 1, 2].map((index) => `hello from m${index} { a: 1 }\nm${index}m${index}!\nlast\n`));
  process.stdout.write('outside');
  expect(outside).toBe('outside');
});

test('in the process of Salvo, an error of the agent keeps its cause', async () => {
  await expect(
    run('export default () => { throw new RangeError("deep"); }', {}, { isolate: false }),
  ).rejects.toHaveProperty('cause.name', 'RangeError');
});

test('a module that does not exist says where it was looked for', async () => {
  const context = { root: '/nowhere', adapters: {}, env: {} };
  const missing = createModuleAdapter({ type: 'module', path: 'agent.ts' }, context);
  await expect(missing.sendTurn([], [], { model: 'm' })).rejects.toThrow(
    'The module agent.ts was not found; looked for /nowhere/agent.ts',
  );
});

test('a module without an agent is refused before the first turn', async () => {
  const modules = [
    ['export const run = () => "x"; export const setup = 1', 'it exports run, setup. Write: export default'],
    ['', 'it exports nothing'],
    ['throw new Error("at the top")', 'could not be loaded (agent.mjs:1:7): at the top'],
  ];
  for (const [code = '', problem] of modules) await expect(moduleAdapter(code).prepare?.()).rejects.toThrow(problem);
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
  const adapter = moduleAdapter(code, { timeout_seconds: 0.1, isolate: false });
  // The time to load the module is not part of the time limit here.
  await adapter.prepare?.();
  await expect(adapter.sendTurn([], [], { model: 'm', callTool })).rejects.toMatchObject({ kind: 'timeout' });
  await expect.poll(() => globalThis).toHaveProperty('salvoLate', 'aborted');
  expect(calls).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../../../../test/is-alive.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { Adapter, AdapterConfig } from '../adapter.ts';
import { createModuleAdapter } from './module.ts';

interface Setting extends AsyncDisposable {
  root: string;
  /** Resolves when a process is free. What is asked then is answered without the time that its start takes. */
  prepare(): Promise<void>;
  ask(config?: Partial<AdapterConfig>): ReturnType<Adapter['sendTurn']>;
}

function isolated(code: string, timeout_seconds?: number): Setting {
  const root = temporaryFolder();
  writeFileSync(join(root, 'agent.mjs'), code);
  const options = { type: 'module' as const, path: './agent.mjs', timeout_seconds };
  const adapter = createModuleAdapter(options, { root, adapters: {}, env: {} });
  return {
    root,
    prepare: async () => adapter.prepare?.(),
    ask: (config = {}) => adapter.sendTurn([{ role: 'user', content: 'Hi' }], [], { model: 'm', ...config }),
    [Symbol.asyncDispose]: async () => adapter.close?.(),
  };
}

const conversation = (id: string) => ({ id, seed: 1, trialNumber: 1, request: 0 });
const until = { timeout: 60_000 };

test('an agent that never yields is stopped at its deadline, and the next trial has an answer', async () => {
  await using agent = isolated(
    `import { writeFileSync } from 'node:fs';
    export default ({ model }) => {
      if (model === 'fine') return 'x';
      writeFileSync(new URL('pid', import.meta.url), String(process.pid));
      // Like a loop without an end, but it leaves the core to others.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }`,
    1,
  );
  await agent.prepare();
  await expect(agent.ask()).rejects.toMatchObject({ kind: 'timeout' });
  await agent.prepare();
  expect((await agent.ask({ model: 'fine' })).content).toBe('x');
  const pid = Number(readFileSync(join(agent.root, 'pid'), 'utf8'));
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), until);
});

test.each([
  ['process.exit(0)', 'its process ended with exit code 0', 'agent.mjs:1:'],
  [
    'setTimeout(() => { throw new Error("late") }); return new Promise(() => {})',
    'threw an error: late',
    'agent.mjs:1:',
  ],
  ['process.kill(process.pid, "SIGKILL"); return new Promise(() => {})', 'its process was ended by SIGKILL', undefined],
  ['process.abort()', 'its process was ended by SIGABRT', undefined],
])('an agent whose code is "%s" crashed, and Salvo goes on', async (body, problem, place) => {
  await using agent = isolated(`export default ({ model }) => { if (model === 'fine') return 'x'; ${body} }`);
  await expect(agent.ask()).rejects.toMatchObject({
    code: 'AGENT_CRASHED',
    message: expect.stringContaining(problem),
    ...(place === undefined ? {} : { agentStack: expect.stringContaining(place) }),
  });
  expect((await agent.ask({ model: 'fine' })).content).toBe('x');
});

test("a user's adapter that ends its process is no crash of the agent", async () => {
  await using adapter = isolated('export default { sendTurn: async () => process.exit(0) }');
  await expect(adapter.ask()).rejects.toMatchObject({ kind: 'bad_response' });
});

test('all that an agent prints is in its log, also what bypasses the streams of Node', async () => {
  await using agent = isolated(`
    import { execSync } from 'node:child_process';
    import { writeSync } from 'node:fs';
    export default () => {
      writeSync(1, 'raw ');
      execSync('echo inherited', { stdio: 'inherit' });
      process.stdout.write('stream ');
      console.log('console');
      return 'x';
    }`);
  let log = '';
  await agent.ask({ log: (text) => (log += text) });
  for (const words of ['raw ', 'inherited', 'stream ', 'console']) expect(log).toContain(words);
});

test('trials at the same time run in processes of their own, and later trials use them again', async () => {
  await using agent = isolated(`
    import { appendFileSync, readFileSync } from 'node:fs';
    const started = new URL('started', import.meta.url);
    export default async () => {
      appendFileSync(started, 'x');
      while (readFileSync(started, 'utf8').length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
      return String(process.pid);
    }`);
  const pids = async () => (await Promise.all([agent.ask(), agent.ask(), agent.ask()])).map(({ content }) => content);
  const first = await pids();
  expect(new Set(first).size).toBe(3);
  expect(new Set([...first, ...(await pids())]).size).toBe(3);
});

test('the turns of a conversation share the memory of the agent', async () => {
  await using agent = isolated(`
    const threads = new Map();
    export default async ({ conversation }) => {
      const turn = (threads.get(conversation) ?? 0) + 1;
      threads.set(conversation, turn);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return String(turn);
    }`);
  const talk = async (id: string) => {
    const turns: (string | null)[] = [];
    for (let turn = 0; turn < 4; turn += 1) turns.push((await agent.ask({ conversation: conversation(id) })).content);
    return turns;
  };
  const talks = await Promise.all(['a', 'b', 'c', 'd'].map(talk));
  expect(talks).toEqual(talks.map(() => ['1', '2', '3', '4']));
});

test('when the signal fires, so does that of the agent, and its later tool calls do not count', async () => {
  const calls: string[] = [];
  await using agent = isolated(`
    import { writeFileSync } from 'node:fs';
    // On a busy machine, the second that it has after its signal may be too short.
    process.on('SIGTERM', () => {});
    export default ({ callTool, signal }) => new Promise(() => {
      signal.addEventListener('abort', () => callTool('late').catch((error) => {
        writeFileSync(new URL('late', import.meta.url), error.kind);
      }));
      callTool('early');
    })`);
  const controller = new AbortController();
  const callTool = async (name: string) => {
    calls.push(name);
    controller.abort();
    return { content: '', is_error: false };
  };
  await expect(agent.ask({ signal: controller.signal, callTool })).rejects.toMatchObject({ kind: 'aborted' });
  await vi.waitFor(() => expect(readFileSync(join(agent.root, 'late'), 'utf8')).toBe('aborted'), until);
  expect(calls).toEqual(['early']);
});

test('an answer of more than 50 MB is refused', async () => {
  await using agent = isolated(`export default () => 'x'.repeat(51 * 1024 * 1024)`);
  await expect(agent.ask()).rejects.toMatchObject({ kind: 'bad_response', message: expect.stringContaining('50 MB') });
});

test('a process that the agent started ends with the adapter', async () => {
  let pid = 0;
  {
    await using agent = isolated(`
      import { spawn } from 'node:child_process';
      export default () => String(spawn('sleep', ['300'], { stdio: 'ignore' }).pid);`);
    pid = Number((await agent.ask()).content);
    expect(isAlive(pid)).toBe(true);
  }
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), until);
});

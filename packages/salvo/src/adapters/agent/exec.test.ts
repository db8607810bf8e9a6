import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../../../../test/is-alive.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { Message } from '../../trace/message.ts';
import type { AdapterConfig } from '../adapter.ts';
import { createExecAdapter } from './exec.ts';

/** Stubborn processes get two seconds before they are killed. */
const UNTIL = { timeout: 60_000 };

interface Setting {
  config?: Partial<AdapterConfig>;
  env?: Record<string, string>;
  granted?: string[];
  cwd?: string;
  timeout_seconds?: number;
  messages_as?: 'openai' | 'anthropic';
  messages?: Message[];
}

function run(command: string | string[], setting: Setting = {}) {
  const options = {
    messages_as: setting.messages_as,
    type: 'exec' as const,
    command,
    env: setting.granted,
    cwd: setting.cwd,
    timeout_seconds: setting.timeout_seconds,
  };
  const adapter = createExecAdapter(options, {
    root: temporaryFolder(),
    adapters: {},
    env: { PATH: process.env.PATH, ...setting.env },
  });
  const tools = [{ name: 'look', description: '', parameters: { type: 'object' } }];
  return adapter.sendTurn(setting.messages ?? [{ role: 'user', content: 'Hi' }], tools, {
    model: 'm',
    ...setting.config,
  });
}

const node = (code: string) => [process.execPath, '-e', code];
const answer = (reply: unknown) => node(`console.log(${JSON.stringify(JSON.stringify(reply))})`);
const pidsIn = (file: string) => {
  const text = readFileSync(file, 'utf8');
  if (text === '') throw new Error('not yet');
  return text.split(' ').map(Number);
};

test('a command gets the task as JSON on stdin, and its stdout is the answer', async () => {
  const echo = node(`
    const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    console.error('thinking...');
    console.log(JSON.stringify({ content: JSON.stringify(input), usage: { input_tokens: 1, output_tokens: 2 }, cost_usd: 0.5 }));
  `);
  const conversation = { id: 'c', runId: 'r', scenario: 's', seed: 1, trialNumber: 2, voteNumber: 3, request: 0 };
  const result = await run(echo, { config: { temperature: 0.5, maxTokens: 9, extras: { a: 1 }, conversation } });
  expect(JSON.parse(result.content ?? '')).toEqual({
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ name: 'look', description: '', parameters: { type: 'object' } }],
    config: {
      model: 'm',
      temperature: 0.5,
      max_tokens: 9,
      extras: { a: 1 },
    },
    conversation: {
      id: 'c',
      run_id: 'r',
      scenario: 's',
      seed: 1,
      trial_seed: expect.any(Number),
      trial_number: 2,
      vote_number: 3,
      request: 0,
    },
  });
  expect(result).toMatchObject({ usage: { input_tokens: 1, output_tokens: 2 }, cost_usd: 0.5, finish_reason: 'stop' });
});

test('a command can answer with a whole trace', async () => {
  const result = await run(answer({ messages: [{ role: 'assistant', content: 'Done.' }] }));
  expect(result).toMatchObject({ content: 'Done.', trace: { messages: [{ role: 'assistant', content: 'Done.' }] } });
});

test('a command line is split into words, without a shell', async () => {
  const result = await run(`"${process.execPath}" -e 'console.log(JSON.stringify(process.argv[1]))' '$HOME; a  b'`);
  expect(result.content).toBe('$HOME; a  b');
});

test('a command sees only the environment it was granted', async () => {
  const show = node('console.log(JSON.stringify({ content: JSON.stringify(process.env) }))');
  const env = { OPENAI_API_KEY: 'sk-secret', MY_TOKEN: 'mine', LC_ALL: 'C' };
  const { content } = await run(show, { env, granted: ['MY_TOKEN', 'NOT_SET'] });
  expect(JSON.parse(content ?? '')).toMatchObject({ MY_TOKEN: 'mine', LC_ALL: 'C', PATH: process.env.PATH });
  expect(content).not.toContain('sk-secret');
});

test('a failing command is a crash with the end of its stderr as the stack, without control characters', async () => {
  const failing = node(
    `console.error('x'.repeat(100000)); console.error('\\u001b[31mboom\\u001b[0m\\u0007'); process.exit(3)`,
  );
  await expect(run(failing)).rejects.toMatchObject({
    code: 'AGENT_CRASHED',
    retryable: false,
    message: expect.stringMatching(/exit code 3: boom\\u0007$/),
    agentStack: expect.stringMatching(/^\.\.\.x+\nboom\\u0007$/),
  });
  await expect(run(node('process.exit(1)'))).rejects.toThrow('ended with exit code 1 and wrote nothing to stderr');
  await expect(run(node('process.kill(process.pid, "SIGKILL")'))).rejects.toThrow('was ended by SIGKILL');
});

test('an answer counts, even if the command fails after it', async () => {
  const late = node(`console.log('{"content":"Hi"}'); process.exitCode = 1`);
  let log = '';
  const config = { log: (text: string) => (log += text) };
  await expect(run(late, { config })).resolves.toMatchObject({ content: 'Hi' });
  expect(log).toContain('ended with exit code 1 after its answer');
});

test('what a command writes to stderr is logged as it comes', async () => {
  let log = '';
  const chatty = node(`console.error('one'); console.error('two'); console.log('"Hi"')`);
  await run(chatty, { config: { log: (text) => (log += text) } });
  expect(log).toBe('one\ntwo\n');
});

test('logs on stdout are an error that shows them', async () => {
  await expect(run(node(`console.log('Loading...'); console.log('{"content":"Hi"}')`))).rejects.toMatchObject({
    kind: 'bad_response',
    message: expect.stringMatching(/not JSON: Loading\.\.\.(.|\n)*logs belong on stderr/),
  });
  await expect(run(node(''))).rejects.toThrow('an empty answer');
});

test('a program that is missing, not executable, or without its folder says so', async () => {
  await expect(run('no-such-program-anywhere --fast')).rejects.toMatchObject({
    kind: 'missing_dependency',
    message: expect.stringContaining('The program no-such-program-anywhere was not found'),
  });
  const file = join(temporaryFolder(), 'agent.sh');
  writeFileSync(file, 'echo', { mode: 0o644 });
  await expect(run([file])).rejects.toThrow('may not be executed. Try: chmod +x');
  await expect(run(node(''), { cwd: 'no-such-folder' })).rejects.toThrow(/The folder .*no-such-folder, in which/);
  await expect(run([''])).rejects.toMatchObject({ kind: 'missing_dependency' });
  await expect(run(['a\0b'])).rejects.toMatchObject({ kind: 'missing_dependency' });
});

test('a command that does not read its input may still answer', async () => {
  const config = { extras: { large: 'x'.repeat(5_000_000) } };
  const deaf = node(`process.stdin.destroy(); console.log('{"content":"Hi"}')`);
  await expect(run(deaf, { config })).resolves.toMatchObject({ content: 'Hi' });
});

test('a large task reaches the command whole', async () => {
  const count = node(
    `let n = 0; process.stdin.on('data', (c) => (n += c.length)).on('end', () => console.log(JSON.stringify(String(n))))`,
  );
  const { content } = await run(count, { config: { extras: { large: 'x'.repeat(5_000_000) } } });
  expect(Number(content)).toBeGreaterThan(5_000_000);
});

test('a character that is split between two chunks is read correctly', async () => {
  const slow = node(`
    const bytes = Buffer.from('{"content":"é"}');
    process.stdout.write(bytes.subarray(0, 13), () => setTimeout(() => process.stdout.write(bytes.subarray(13)), 50));
  `);
  expect((await run(slow)).content).toBe('é');
});

test('too much output is refused, and the command ended', async () => {
  const flood = node(
    `const chunk = 'x'.repeat(1 << 20); const write = () => { while (process.stdout.write(chunk)); process.stdout.once('drain', write); }; write()`,
  );
  await expect(run(flood)).rejects.toThrow('more than 50 MB');
});

test('a command that takes too long is a timeout', async () => {
  const answer = run(node('setInterval(() => {}, 1000)'), { timeout_seconds: 0.2 });
  await expect(answer).rejects.toMatchObject({ kind: 'timeout', retryable: true });
});

test('a command is ended together with everything it started', async () => {
  const file = join(temporaryFolder(), 'pids');
  const parent = node(`
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid);
    setInterval(() => {}, 1000);
  `);
  const controller = new AbortController();
  const answer = run(parent, { config: { signal: controller.signal } });
  const pids = await vi.waitFor(() => pidsIn(file), UNTIL);
  expect(pids).toHaveLength(2);
  controller.abort();
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), UNTIL);
});

test('a command that ignores SIGTERM is killed', async () => {
  const file = join(temporaryFolder(), 'pid');
  const stubborn = node(`
    process.on('SIGTERM', () => {});
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
    setInterval(() => {}, 1000);
  `);
  const controller = new AbortController();
  const answer = run(stubborn, { config: { signal: controller.signal } });
  const [pid = 0] = await vi.waitFor(() => pidsIn(file), UNTIL);
  controller.abort();
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), UNTIL);
});

test('a background process that holds the pipes open does not delay the answer', async () => {
  const leaving = node(`
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    child.unref();
    console.log(JSON.stringify({ content: String(child.pid) }));
  `);
  const { content } = await run(leaving, { timeout_seconds: 20 });
  await vi.waitFor(() => expect(isAlive(Number(content))).toBe(false), UNTIL);
});

test('a quiet background process ends with the command that started it, however the command ended', async () => {
  const ends = [0, 3].map(async (exitCode) => {
    const cwd = temporaryFolder();
    const script = `(trap '' TERM; exec sleep 300) >/dev/null 2>&1 & printf '%s' $! > pid; echo '{"content":"x"}'; exit ${exitCode}`;
    expect((await run(['sh', '-c', script], { cwd })).content).toBe('x');
    const [pid = 0] = pidsIn(join(cwd, 'pid'));
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), UNTIL);
  });
  await Promise.all(ends);
});

test('a trial that is already cancelled starts nothing', async () => {
  const file = join(temporaryFolder(), 'started');
  const touch = node(`require('node:fs').writeFileSync(${JSON.stringify(file)}, '')`);
  await expect(run(touch, { config: { signal: AbortSignal.abort() } })).rejects.toMatchObject({ kind: 'aborted' });
  await sleep(200);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('a command line that cannot be split is refused when the adapter is made', () => {
  const context = { root: '/', adapters: {}, env: {} };
  expect(() => createExecAdapter({ type: 'exec', command: 'run "a' }, context)).toThrow('without its partner');
});

test('a command may have the conversation in the form of its SDK', async () => {
  const echo = node(
    "const { messages, system } = JSON.parse(require('node:fs').readFileSync(0, 'utf8')); console.log(JSON.stringify({ content: JSON.stringify({ messages, system }) }))",
  );
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'tool_result' as const, tool_call_id: 'a', name: 'look', content: 'found', is_error: false },
  ];
  const sent = async (messages_as: 'openai' | 'anthropic') =>
    JSON.parse((await run(echo, { messages_as, messages })).content ?? '');
  expect(await sent('openai')).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
    ],
  });
  expect(await sent('anthropic')).toEqual({
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'found' }] }],
    system: 'Be brief.',
  });
});

const outage = (code: string) => expect(run(node(code))).rejects;

test('a command whose model failed did not crash: it says so by its exit code, its answer or its last error', async () => {
  const failed = { kind: 'agent_provider', code: 'AGENT_PROVIDER_FAILED' };
  const busy = 'The command ';
  await outage('console.error("the model is busy"); process.exitCode = 75').toMatchObject({
    ...failed,
    message: expect.stringMatching(/could not call its model or another service: the model is busy$/),
  });
  await outage('process.exitCode = 75').toMatchObject(failed);
  const answer = 'console.log(JSON.stringify({ error: { status: 503, message: "overloaded" } }));';
  await outage(answer).toMatchObject({ ...failed, message: expect.stringContaining('503 overloaded') });
  await outage(`${answer} process.exitCode = 1`).toMatchObject(failed);
  await outage(
    'console.error("Traceback (most recent call last):\\n  File \\"agent.py\\"\\nopenai.APIConnectionError: Connection error."); process.exitCode = 1',
  ).toMatchObject({
    ...failed,
    agentStack: expect.stringContaining('agent.py'),
    message: expect.stringContaining(busy),
  });
});

test.each([
  ['another exit code', 'process.exitCode = 1'],
  ['an error without a status', 'console.log(JSON.stringify({ error: { message: "no" } })); process.exitCode = 1'],
])('%s is a crash', async (_, code) => {
  await outage(code).toMatchObject({ kind: 'crashed' });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../../../../test/is-alive.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { Message } from '../../trace/message.ts';
import type { OptionsOf } from '../adapter-options-schema.ts';
import { createExecAdapter } from './exec.ts';

/** A program that answers each line by `answer`, JavaScript with the request as `task` and the number of requests as `count`. */
const program = (answer: string, start = '') => [
  process.execPath,
  '-e',
  `${start}
  let count = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const task = JSON.parse(line);
    count += 1;
    const say = (content) => console.log(JSON.stringify({ request_id: task.request_id, content }));
    ${answer}
  });`,
];

function keep(kind: 'conversation' | 'run', command: string[], options: Partial<OptionsOf<'exec'>> = {}) {
  const context = { root: temporaryFolder(), adapters: {}, env: { PATH: process.env.PATH } };
  const adapter = createExecAdapter({ type: 'exec', command, keep: kind, ...options }, context);
  onTestFinished(() => adapter.close?.());
  const logs: string[] = [];
  const ask = async (id: string, content = 'Hi', signal?: AbortSignal) => {
    const messages: Message[] = [{ role: 'user', content }];
    const conversation = { id, seed: 1, trialNumber: 1, request: 0 };
    const log = (text: string) => logs.push(text);
    return (await adapter.sendTurn(messages, [], { model: 'm', conversation, log, signal })).content;
  };
  return { adapter, ask, logs, end: (id: string) => adapter.endConversation?.(id) };
}

const COUNTED = program("say([process.pid, count, task.conversation.id].join(' '))");
const pidOf = (content: string | null) => Number(content?.split(' ')[0]);

/** Node reports the ends of processes in their order. */
async function endsAreNoticed(): Promise<void> {
  await once(spawn(process.execPath, ['--version']), 'exit');
}

test('conversation: each trial has a process of its own for all its turns, which ends with it', async () => {
  const { ask, end } = keep('conversation', COUNTED);
  const [a1, b1] = await Promise.all([ask('a'), ask('b')]);
  const a2 = await ask('a');
  expect([a1, a2, b1].map((content) => content?.split(' ').slice(1))).toEqual([
    ['1', 'a'],
    ['2', 'a'],
    ['1', 'b'],
  ]);
  expect(pidOf(a1)).toBe(pidOf(a2));
  expect(pidOf(b1)).not.toBe(pidOf(a1));
  end('a');
  await expect.poll(() => isAlive(pidOf(a1))).toBe(false);
  expect(isAlive(pidOf(b1))).toBe(true);
});

test('run: a process is used again for later trials, and all end with the run', async () => {
  const { adapter, ask, end } = keep('run', COUNTED);
  const first = await ask('a');
  end('a');
  const [second, other] = await Promise.all([ask('b'), ask('c')]);
  expect(pidOf(second)).toBe(pidOf(first));
  expect(second).toMatch(/ 2 b$/);
  expect(pidOf(other)).not.toBe(pidOf(first));
  await adapter.close?.();
  await expect.poll(() => [first, other].map((content) => isAlive(pidOf(content)))).toEqual([false, false]);
});

test('a crash is that of the trial, and the next one has a new process', async () => {
  const code = `if (count === 2) { console.error('Error: out of luck'); process.exit(3); } say(String(process.pid));`;
  const { ask, end } = keep('run', program(code));
  const first = await ask('a');
  await expect(ask('a')).rejects.toMatchObject({
    kind: 'crashed',
    message: expect.stringMatching(/exit code 3: Error: out of luck/),
  });
  end('a');
  expect(pidOf(await ask('b'))).not.toBe(pidOf(first));
});

test('a process that fails between two turns of a trial is a crash of it: what it remembered is lost', async () => {
  const { ask } = keep(
    'conversation',
    program(
      "say(String(process.pid)); if (count === 1) setImmediate(() => { console.error('Error: leaked'); process.exit(3); });",
    ),
  );
  const pid = pidOf(await ask('a'));
  await expect.poll(() => isAlive(pid)).toBe(false);
  await endsAreNoticed();
  await expect(ask('a')).rejects.toMatchObject({
    kind: 'crashed',
    message: expect.stringMatching(/ended with exit code 3: Error: leaked/),
  });
  // Asked once more, the trial has a new process.
  expect(pidOf(await ask('a'))).not.toBe(pid);
});

test.each([
  [
    'exits',
    "process.on('SIGUSR2', () => { console.error('Error: leaked'); process.exit(3); });",
    'SIGUSR2',
    'ended with exit code 3',
  ],
  ['is killed', '', 'SIGKILL', 'was ended by SIGKILL'],
] as const)(
  'a process that %s between trials is started again, and the log of the next one says so',
  async (...row) => {
    const [, start, signal, end] = row;
    const { ask, end: endTrial, logs } = keep('run', program('say(String(process.pid))', start));
    const pid = pidOf(await ask('a'));
    endTrial('a');
    process.kill(pid, signal);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await endsAreNoticed();
    expect(pidOf(await ask('b'))).not.toBe(pid);
    expect(logs.join('')).toContain(`[The program ${end} after an earlier trial, and was started again]`);
    expect(logs.join('').includes('Error: leaked')).toBe(start !== '');
    const before = logs.length;
    await ask('c');
    expect(logs).toHaveLength(before);
  },
);

test('answers in the wrong order are an error of the request that waits, and no answer of another', async () => {
  const { ask } = keep(
    'run',
    program(
      "if (task.messages[0].content === 'late') say('first'); else console.log(JSON.stringify({ request_id: task.request_id + 1, content: 'of the next' }));",
    ),
  );
  await expect(ask('a')).rejects.toThrow(/without the "request_id" of the request/);
  expect(await ask('b', 'late')).toBe('first');
});

test('a program that ends after each answer is started again', async () => {
  const { ask } = keep('conversation', program(`say('ok'); process.stdin.destroy();`));
  expect([await ask('a'), await ask('a')]).toEqual(['ok', 'ok']);
});

test('an answer without a line end counts when the program ends', async () => {
  const { ask } = keep(
    'run',
    program(`process.stdout.write('{"request_id":1,"content":"ok"}'); process.stdin.destroy();`),
  );
  expect(await ask('a')).toBe('ok');
});

test.each([
  [
    'a stray print before the answer',
    program(`say('ok')`, `console.log('Loading model...');`),
    /not JSON: Loading model/,
  ],
  ['an answer to no request', program(`console.log('{"content":"a"}')`), /without the "request_id" of the request/],
])('%s is an error with the usual words, and the process is not used again', async (_, command, message) => {
  const { ask } = keep('run', command);
  await expect(ask('a')).rejects.toThrow(message);
  await expect(ask('b')).rejects.toThrow(/logs belong on stderr/);
});

test('a stray print after an answer is an error of the next request', async () => {
  const { ask } = keep('run', program(`say('ok'); console.log('Done.');`));
  expect(await ask('a')).toBe('ok');
  await expect(ask('a')).rejects.toThrow(/not JSON: Done\./);
  expect(await ask('a')).toBe('ok');
});

test('a second answer to an earlier request is no answer to the next one', async () => {
  const code = `const again = () => say('late'); say('ok ' + count); setImmediate(again); setTimeout(again, 1);`;
  const { ask } = keep('run', program(code));
  const answers: unknown[] = [];
  for (let turn = 0; turn < 20; turn += 1) answers.push(await ask('a'));
  expect(answers).toEqual(answers.map((_, turn) => `ok ${turn + 1}`));
});

test('what it writes to stderr is kept with the trial that is asked', async () => {
  const { ask, logs } = keep('run', program(`console.error('thinking of ' + task.conversation.id); say('ok');`));
  await ask('a');
  expect(logs.join('')).toBe('thinking of a\n');
});

test('a request that is given up ends the process, and the next request has a new one', async () => {
  const code = `if (task.messages[0].content === 'hang') return; say(String(process.pid));`;
  const { ask } = keep('run', program(code));
  const first = pidOf(await ask('a'));
  const controller = new AbortController();
  const hanging = ask('a', 'hang', controller.signal);
  controller.abort();
  await expect(hanging).rejects.toThrow(/was stopped before it had answered/);
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(pidOf(await ask('a'))).not.toBe(first);
});

test('an endless line ends at the limit', async () => {
  const { ask } = keep(
    'run',
    program(`const block = 'x'.repeat(1024 * 1024); const more = () => process.stdout.write(block, more); more();`),
  );
  await expect(ask('a')).rejects.toThrow(/more than 50 MB/);
});

test('a program that does not exist is an error that says so', async () => {
  const { ask } = keep('run', ['no-such-program-here']);
  await expect(ask('a')).rejects.toThrow(/no-such-program-here was not found/);
});

test('more trials than processes share them, one request after the other', async () => {
  const { ask } = keep('run', COUNTED);
  const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const answers = await Promise.all(ids.map((id) => ask(id)));
  expect(answers.map((content) => content?.split(' ')[2])).toEqual(ids);
  expect(new Set(answers.map(pidOf)).size).toBe(16);
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { builtMain } from '../built-package.ts';
import { startCli } from '../cli/cli-fixture.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { isAlive } from '../is-alive.ts';
import { projectFixture } from '../project-fixture.ts';

const SECONDS = 1000;
const MAIN = await builtMain();

/** Runs the real program through a shell, where limits and redirections can be set. */
async function runShell(script: string, cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-c', script], { cwd, env: { ...process.env, SALVO: `${process.execPath} ${MAIN}` } });
  child.stdin.end();
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code: Number(code), stdout, stderr };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
  'after %s, no program of an agent is left, neither a stubborn nor a quiet one',
  async (signal) => {
    await using project = await projectFixture({
      'agent.sh': `(trap '' TERM HUP; exec sleep 601) >/dev/null 2>&1 & echo $! > quiet; trap '' TERM; echo $$ > loud; sleep 602`,
      'salvo.yaml': 'adapters: { mine: { type: exec, command: [sh, agent.sh] } }',
      's.yaml': sampleScenario({ adapter: 'mine', script: undefined }),
    });
    const { child, result, untilStderrHas } = startCli(['run', 's.yaml', '-n', '1'], { cwd: project.root });
    const pids = await vi.waitFor(() => {
      const read = ['quiet', 'loud'].map((name) => Number(readFileSync(project.path(name), 'utf8')));
      expect(read.every((pid) => pid > 0)).toBe(true);
      return read;
    }, 60 * SECONDS);
    child.kill(signal);
    if (signal !== 'SIGQUIT') {
      await untilStderrHas('Finishing');
      child.kill(signal);
    }
    expect((await result).code).toBe(signal === 'SIGQUIT' ? 130 : 3);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 30 * SECONDS);
  },
);

test('without free file handles, agents are started later, or the report says why not', async () => {
  await using project = await projectFixture({
    'agent.sh': `cat > /dev/null; sleep 0.3; echo '{"content":"Done."}'`,
    'salvo.yaml': 'adapters: { mine: { type: exec, command: [sh, agent.sh] } }',
    's.yaml': sampleScenario({ adapter: 'mine', script: undefined }),
  });
  const run = (retries: number) =>
    runShell(`ulimit -n 48; $SALVO run s.yaml -n 30 --concurrency 30 --retries ${retries} --quiet`, project.root);
  const refused = await run(0);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('The program sh could not be started: too many open files.');
  expect(refused.stdout + refused.stderr).not.toContain('Cannot read properties');
});

test.each([
  ['a full disk', '> /dev/full'],
  ['no standard output', '>&-'],
  ['a reader that leaves at once', '| true'],
  ['no standard error', '2>&-'],
  ['a full disk for messages', '2> /dev/full'],
  ['no standard input', '<&-'],
])('with %s, a failure is still one, and the files asked for are written', async (_, redirection) => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script: [done('No.')] }) });
  const command = '$SALVO run s.yaml -n 20 --json --junit junit.xml';
  expect((await runShell(`set -o pipefail; ${command} ${redirection}`, project.root)).code).toBe(1);
  expect(readFileSync(project.path('junit.xml'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
});

test('a pass that could not be written to standard output is no pass', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario() });
  const { code, stderr } = await runShell('$SALVO run s.yaml -n 2 > /dev/full', project.root);
  expect(code).toBe(3);
  expect(stderr).toContain('Could not write to standard output: ENOSPC');
});

test.each([['score --red pipe --blue pipe'], ['calibrate pipe']])(
  'the first SIGTERM ends `%s` while it waits for a pipe',
  async (args) => {
    await using project = await projectFixture({ 'salvo.yaml': '{}' });
    await runShell('mkfifo pipe', project.root);
    const { child, result } = startCli(args.split(' '), { cwd: project.root });
    await vi.waitFor(() => {
      const handles = execFileSync('ls', ['-l', `/proc/${child.pid}/fd`], { encoding: 'utf8' });
      expect(handles).toContain('/pipe');
    }, 60 * SECONDS);
    child.kill('SIGTERM');
    expect((await result).code).toBe(3);
  },
);

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runProgram, startCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

const FILES = { 'red.json': '{"vulnerabilities": []}', 'salvo.yaml': 'default_adapter: scripted\n' };
const COMMANDS: [name: string, args: (file: string) => string[]][] = [
  ['score', (file) => ['score', '--red', 'red.json', '--blue', file]],
  ['score of a manifest', (file) => ['score', '--red', file, '--blue', 'red.json']],
  ['calibrate', (file) => ['calibrate', file]],
];

describe.skipIf(process.platform === 'win32').for(COMMANDS)('%s', ([, args]) => {
  test.runIf(existsSync('/dev/zero'))('refuses a device without an end', async () => {
    await using project = await projectFixture(FILES);
    expect(await runProgram(args('/dev/zero'), { cwd: project.root })).toMatchObject({
      code: 4,
      stderr: '/dev/zero cannot be read: it is not a text file.\n',
    });
  });

  test('refuses a file of 1 GB before it is read', async () => {
    await using project = await projectFixture({ ...FILES, 'big.json': '[' });
    truncateSync(project.path('big.json'), 2 ** 30);
    expect(await runProgram(args('big.json'), { cwd: project.root })).toMatchObject({
      code: 4,
      stderr: 'big.json cannot be read: it is larger than 100 MB.\n',
    });
  });

  test('stops reading a pipe without an end at the limit', async () => {
    await using project = await projectFixture(FILES);
    execFileSync('mkfifo', [project.path('pipe')]);
    const writer = spawn('sh', ['-c', 'exec yes \'{"a": 1}\' > pipe'], { cwd: project.root, stdio: 'ignore' });
    const { code, stderr } = await runProgram(args('pipe'), { cwd: project.root });
    writer.kill('SIGKILL');
    expect([code, stderr]).toEqual([4, 'pipe cannot be read: it is larger than 100 MB.\n']);
  });

  test.for(['SIGINT', 'SIGTERM'] as const)(
    'the first %s ends the wait for a pipe that nobody writes',
    async (signal) => {
      await using project = await projectFixture(FILES);
      execFileSync('mkfifo', [project.path('pipe')]);
      const { child, result } = startCli(args('pipe'), { cwd: project.root });
      // Only a process that has begun to wait opens the pipe.
      while (!opens(child.pid, project.path('pipe'))) await sleep(20);
      child.kill(signal);
      const { code, stderr } = await result;
      expect(code).toBe(3);
      expect(stderr).toMatch(/stopped/i);
    },
  );
});

function opens(pid: number | undefined, file: string): boolean {
  return execFileSync('sh', ['-c', `ls -l /proc/${pid}/fd 2>/dev/null || true`], { encoding: 'utf8' }).includes(file);
}

test.each([
  ['a scenario', ['validate', 'scenarios/big.yaml'], 'scenarios/big.yaml'],
  ['salvo.yaml', ['validate'], 'salvo.yaml'],
])('%s of 1 GB is refused', async (_, args, file) => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/a.yaml': 'prompt: hi\n',
    [file]: 'prompt: hi\n',
  });
  truncateSync(project.path(file), 2 ** 30);
  const { code, stdout } = await runProgram(args, { cwd: project.root });
  expect(code).toBe(4);
  expect(stdout).toContain('is larger than 1 MB');
});

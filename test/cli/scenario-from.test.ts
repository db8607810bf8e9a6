import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/support-agent');

let project: ProjectFixture;
let run = '';

beforeAll(async () => {
  project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (source) => !source.includes('.salvo') });
  // With this seed some trials fail.
  const { stdout } = await runCli(['run', '-n', '6', '--seed', '2', '-q', '--json'], { cwd: project.root });
  run = JSON.parse(stdout).run_id;
});
afterAll(() => project[Symbol.asyncDispose]());

const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
const written = async (path: string) => parse(await readFile(project.path(path), 'utf8'));

test('every assertion that is proposed for a trial of the example holds, and the file is valid', async () => {
  for (const name of ['refund-a-broken-kettle', 'keeps-the-thread', 'tries-the-warehouse-again']) {
    const file = `scenarios/of-${name}.yaml`;
    const made = await salvo('scenario', 'from', `${run}/${name}/1`, '-o', file, '--name', `of ${name}`);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`Wrote ${file} with`) });
    expect(made.stdout).not.toMatch(/fails|not tried/);
    expect(await salvo('validate', file)).toMatchObject({ code: 0, stdout: '2 files are valid\n' });
    const judged = await salvo('reeval', `${run}/${name}/1`, '--scenario', file, '-q', '--json');
    expect(JSON.parse(judged.stdout).scenarios[0].after).toMatchObject({ trials_passed: 1, trials_total: 1 });
  }
});

test('a bug becomes a test in one command', async () => {
  const made = await salvo(
    'scenario',
    'from',
    'refund-a-broken-kettle',
    '--failed',
    'refunded 50 without looking at the order',
  );
  expect(made.code).toBe(0);
  expect(made.stdout).toContain('Wrote scenarios/refunded-50-without-looking-at-the-order.yaml with');
  expect(made.stdout).toContain('✕ fails');
  expect(made.stdout).toContain('· not tried  judge');
  const path = 'scenarios/refunded-50-without-looking-at-the-order.yaml';
  expect(await written(path)).toMatchObject({ description: 'refunded 50 without looking at the order' });

  const again = ['scenario', 'from', 'refund-a-broken-kettle', '--failed', 'refunded 50 without looking at the order'];
  expect(await salvo(...again)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('exists. Overwrite it with --force'),
  });
  expect(await salvo(...again, '--force')).toMatchObject({ code: 0 });
});

test('--dry-run prints the file, and says what the trial was', async () => {
  const { code, stdout, stderr } = await salvo('scenario', 'from', 'refund-a-broken-kettle', '--dry-run');
  expect(code).toBe(0);
  expect(parse(stdout)).toMatchObject({ prompt: 'My kettle (order A-1001) arrived broken. I want my money back.' });
  expect(stderr).toContain('This trial failed. To make a test of what went wrong');
});

test('all cases of a run become one scenario, which runs', async () => {
  expect(await salvo('scenario', 'from', run, '--group', '--name', 'all')).toMatchObject({ code: 0 });
  expect((await written('scenarios/all.yaml')).data).toHaveLength(4);
  expect(await salvo('run', 'scenarios/all.yaml', '-n', '1', '-q')).toMatchObject({ code: 0 });
});

test.each([
  [['from', 'nothing'], 'There is no run, scenario or trace "nothing"'],
  [['from', 'refund', '--turns', '4-1'], 'Give a turn or a range of turns'],
  [['from', 'keeps-the-thread/1', '--turns', '9', '--dry-run'], 'there is no turn 9'],
  [['to'], 'Allowed choices are from'],
  [['from', 'salvo.yaml'], 'There is no run, scenario or trace'],
  [['from', 'refund-a-broken-kettle/1', '--failed', ' '], 'Say what was wrong: --failed'],
])('%j is refused in words', async (args, message) => {
  expect(await salvo('scenario', ...args)).toMatchObject({ code: 4, stderr: expect.stringContaining(message) });
});

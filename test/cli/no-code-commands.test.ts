import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli, storeOf } from './cli-fixture.ts';

const SCENARIO = `adapter: scripted
script: [{ content: hello }]
prompt: hi
assertions: [{ type: output_contains, value: hello }]
`;
const EXPERIMENT = 'tasks: [tf-s3-logs]\nred: [mutation]\nblue: [rules]\ndifficulty: [easy]\nrepetitions: 1\n';
/** Added after everything was stored. A plugin that registers an adapter, which settings name, is the hardest case. */
const HOSTILE = `plugins: [./plugin.ts]
hooks: ./plugin.ts
default_adapter: own
judge: { adapter: "exec:sh -c 'touch executed'" }
`;
const PLUGIN = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./executed', import.meta.url), '');
`;

/** Commands that read results, settings or nothing, with what they are called with after the plugin was added. */
const READERS: Record<string, string[][]> = {
  report: [[], ['--history'], ['--junit', 'j.xml']],
  replay: [[], ['s.yaml', '1']],
  export: [[], ['--raw'], ['--html', 'run.html']],
  import: [['s.yaml'], ['.', '--dry-run']],
  scenario: [['from', 'latest', '--dry-run']],
  compare: [[], ['latest', 'latest', '--anyway']],
  baseline: [['set']],
  merge: [['part']],
  attach: [[]],
  db: [['status'], ['migrate'], ['prune', '--older-than', '90d', '--dry-run'], ['import', '.salvo/salvo.db']],
  view: [['nothing-has-this-id']],
  worker: [['--idle-exit', '0']],
  tools: [['--json']],
  tasks: [[]],
  rules: [[]],
  completion: [['bash']],
  init: [['elsewhere']],
};
/** It runs projects of its own, in folders of its own. */
const OWN_PROJECTS = ['demo'];

let project: ProjectFixture;

beforeAll(async () => {
  project = await projectFixture({ 's.yaml': SCENARIO, 'e.yaml': EXPERIMENT, 'plugin.ts': PLUGIN });
  const { root: cwd } = project;
  for (const _ of [1, 2]) await runCli(['run', 's.yaml'], { cwd });
  await runCli(['run', 's.yaml', '--shard', '1/1', '--out', 'part'], { cwd });
  await project.write('salvo.yaml', HOSTILE);
});
beforeEach(() => rm(project.path('executed'), { force: true }));
afterAll(() => project[Symbol.asyncDispose]());

const wasExecuted = () => existsSync(project.path('executed'));

describe('a command', () => {
  it('either takes --no-code or executes no code of the project', async () => {
    const { names } = await parseCommandLine(['--help']);
    const withOption: string[] = [];
    for (const name of names) {
      if ((await parseCommandLine([name, '--help'])).text.includes('--no-code')) withOption.push(name);
    }
    expect([...withOption, ...Object.keys(READERS), ...OWN_PROJECTS].sort()).toEqual([...names].sort());
  });

  const calls = Object.entries(READERS).flatMap(([name, all]) => all.map((args) => [name, ...args]));
  it.each(calls.map((args) => [args.join(' '), args] as const))('`salvo %s` executes none', async (_, args) => {
    const { stderr } = await runCli([...args], { cwd: project.root });
    // It must have come past salvo.yaml.
    expect(stderr).not.toContain('salvo.yaml:');
    expect(wasExecuted()).toBe(false);
  });

  it.each([['--list'], ['--show', 'latest']])('`salvo experiment %s` executes none', async (...args) => {
    await runCli(['experiment', ...args], { cwd: project.root });
    expect(wasExecuted()).toBe(false);
  });

  it('`salvo calibrate --forget` executes none', async () => {
    expect((await runCli(['calibrate', '--forget'], { cwd: project.root })).stderr).toContain('No calibration');
    expect(wasExecuted()).toBe(false);
  });

  it('`salvo view` executes none while it answers, and not for the budget of a resumed run', async () => {
    await using viewed = await viewProject({ cwd: project.root, env: {}, command: ['true'] });
    const { viewerApi } = await import('../../packages/salvo/src/server/viewer-app.ts');
    const api = viewerApi(viewed, { rights: ['run'] });
    expect((await api.request('/runs')).status).toBe(200);
    expect((await api.request('/runs/latest')).status).toBe(200);
    const resumed = await api.request('/runs/latest/resume', { method: 'POST' });
    expect(await resumed.json()).toEqual({ error: expect.stringContaining('could not be resumed') });
    expect(wasExecuted()).toBe(false);
  });

  it.each([
    ['adapters'],
    ['score', '--red', 'r.json', '--blue', 'b.json', '--llm', 'm'],
    ['game', '--blue', 'llm:own/m', '--task', 'tf-s3-logs'],
    ['scan', '--blue', 'llm:own/m'],
    ['red', '--red', 'llm:own/m', '--out', 'red'],
    ['blue', '.', '--blue', 'llm:own/m'],
    ['experiment', 'e.yaml'],
    ['bench-scanner', 'rules'],
    ['judge-check'],
    ['calibrate', 'labels.jsonl'],
    ['rank', 'latest', 'latest~1'],
    ['plan'],
    ['validate'],
  ])('`salvo %s` executes none with --no-code', async (...args) => {
    const { code } = await runCli([...args, '--no-code'], { cwd: project.root });
    expect(code).toBe(4);
    expect(wasExecuted()).toBe(false);
  });

  it('`salvo schema --no-code` prints the schema without what plugins add', async () => {
    expect((await runCli(['schema', '--no-code'], { cwd: project.root })).code).toBe(0);
    expect(wasExecuted()).toBe(false);
  });

  it('refuses the scanner of a command line with --no-code, too', async () => {
    await using other = await projectFixture({ 'main.tf': '' });
    const args = ['scan', '.', '--blue-command', 'touch {dir} executed', '--no-code'];
    const { code, stderr } = await runCli(args, { cwd: other.root });
    expect([code, stderr]).toEqual([4, expect.stringContaining('Refused: the command touch {dir} executed is code')]);
    expect(existsSync(other.path('executed'))).toBe(false);
  });
});

describe('a run with --no-code', () => {
  it('is judged again without code, and the new run keeps it', async () => {
    await using own = await projectFixture({ 's.yaml': SCENARIO });
    const { root: cwd } = own;
    await runCli(['run', 's.yaml', '--no-code'], { cwd });
    expect(await runCli(['reeval'], { cwd })).toMatchObject({ code: 0 });
    await using store = await storeOf(own);
    expect((await store.listRuns()).map(({ options }) => options.no_code)).toEqual([true, true]);
    await own.write('salvo.yaml', 'plugins: [./plugin.ts]\n');
    await own.write('plugin.ts', PLUGIN);
    for (const args of [['reeval'], ['reeval', '--estimate'], ['run', '--resume', 'latest']]) {
      const { code, stderr } = await runCli(args, { cwd });
      expect([code, stderr]).toEqual([4, expect.stringContaining('salvo.yaml:1:11')]);
    }
    expect(existsSync(own.path('executed'))).toBe(false);
  });

  it('is what a reevaluation with --no-code of an ordinary run becomes', async () => {
    await using own = await projectFixture({ 's.yaml': SCENARIO });
    const { root: cwd } = own;
    await runCli(['run', 's.yaml'], { cwd });
    await runCli(['reeval', '--no-code'], { cwd });
    await using store = await storeOf(own);
    expect((await store.listRuns()).map(({ options }) => options.no_code ?? false).sort()).toEqual([false, true]);
  });
});

describe('an experiment with --no-code', () => {
  it('is resumed without code', async () => {
    await using own = await projectFixture({ 'e.yaml': 'name: e\ntasks: [website-origin]\nblue: [rules]\nseed: 1\n' });
    const { root: cwd } = own;
    expect(await runCli(['experiment', 'e.yaml', '--no-code'], { cwd })).toMatchObject({ code: 0 });
    expect(await runCli(['experiment', '--resume', 'latest'], { cwd })).toMatchObject({ code: 0 });
    await own.write('salvo.yaml', 'plugins: [./plugin.ts]\n');
    await own.write('plugin.ts', PLUGIN);
    const { code, stderr } = await runCli(['experiment', '--resume', 'latest'], { cwd });
    expect([code, stderr]).toEqual([4, expect.stringContaining('salvo.yaml:1:11')]);
    expect(existsSync(own.path('executed'))).toBe(false);
  });

  it('is what an ordinary one becomes that is resumed with --no-code', async () => {
    await using own = await projectFixture({ 'e.yaml': 'name: e\ntasks: [website-origin]\nblue: [rules]\nseed: 1\n' });
    const { root: cwd } = own;
    await runCli(['experiment', 'e.yaml'], { cwd });
    await runCli(['experiment', '--resume', 'latest', '--no-code'], { cwd });
    await using store = await storeOf(own);
    expect(await experimentsOf(store).listExperiments()).toMatchObject([{ no_code: true }]);
  });
});

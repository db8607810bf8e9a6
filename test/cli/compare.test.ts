import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBaseline } from '../../packages/salvo/src/app/compare/baseline.ts';
import { compareRuns } from '../../packages/salvo/src/app/compare/compare.ts';
import { resumeRun, runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../examples/compare');

let project: ProjectFixture;
/** The runs of the three agents of the example. */
const runs = { careful: '', steady: '', hasty: '' };
const place = () => ({ cwd: project.root, env: {} });
const cli = (...args: string[]) => runCli(args, { cwd: project.root });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: project.root,
    stdio: 'pipe',
  });

async function runAgent(adapter: keyof typeof runs, seed: number) {
  await using run = await runFiles({ ...place(), adapter, seed });
  runs[adapter] = run.run.run_id;
}

beforeAll(async () => {
  project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  await runAgent('careful', 1);
  const { text, file } = await createBaseline(place());
  await writeFile(file, text);
  git('init', '-q', '-b', 'main');
  git('add', 'salvo.yaml', 'scenarios', 'salvo-baseline.json');
  git('commit', '-qm', 'A baseline');
  await writeFile(file, 'changed since then');
  await runAgent('steady', 2);
  await runAgent('hasty', 3);
});

afterAll(() => project[Symbol.asyncDispose]());

describe('salvo compare, of forty tickets', () => {
  test('says that the worse agent is worse, with the committed baseline as the base', async () => {
    const { code, stdout } = await cli('compare', 'git:main', 'latest', '--markdown', 'compared.md');
    expect(stdout).toMatch(/✖ +triage .*worse/);
    expect(stdout).toContain('This is more than luck.');
    expect(stdout).toContain('The adapter was careful, and is hasty.');
    expect(stdout).toContain('Failed now: ');
    expect(await readFile(project.path('compared.md'), 'utf8')).toContain('### ❌ Worse in 1 of 1 scenario.');
    expect(code).toBe(1);
  });

  test('finds no evidence between two agents that are equally good', async () => {
    const found = await compareRuns({ ...place(), base: 'git:HEAD:salvo-baseline.json', next: 'latest~1' });
    expect(found).toMatchObject({ conclusion: 'no_evidence', exit_code: 0 });
    expect(found.scenarios[0]).toMatchObject({ unit: 'case', cases: { compared: 40 }, next_adapter: 'steady' });
  });

  test('takes a run alone as the new one, and the run before it as the base', async () => {
    const found = await compareRuns({ ...place(), next: `${runs.hasty}@hasty` });
    expect(found).toMatchObject({ conclusion: 'worse', base: { run_id: runs.steady } });
  });

  test.each([
    ['git:nowhere', 'git has no salvo-baseline.json at nowhere'],
    ['git:main:no.json', 'git has no no.json at main'],
    ['git:--output=x', 'names no commit'],
    ['salvo-baseline.json', 'salvo-baseline.json:1:1 is not valid JSON'],
    ['missing.json', 'there is no such file'],
    ['latest~99', 'There is no run latest~99: 3 complete runs are stored.'],
    ['latest@gpt-9', 'has no scenario with the model, adapter or prompt "gpt-9"'],
    ['nosuchrun', 'There is no run "nosuchrun"'],
  ])('refuses %s with what is wrong', async (base, message) => {
    await expect(compareRuns({ ...place(), base, next: 'latest' })).rejects.toThrow(message);
  });
});

test('runs are not comparable if the code or the manifest behind an assertion differs', async () => {
  const files = {
    'salvo.yaml': 'scenarios_dir: s',
    's/a.yaml': sampleScenario({
      adapter: 'scripted',
      script: [{ content: 'Hello.' }],
      assertions: [{ type: 'custom', id: 'polite', module: '../checks/polite.mjs' }],
    }),
    'checks/polite.mjs':
      "import { greeting } from './words.mjs';\nexport default ({ final_content }) => final_content.includes(greeting);",
    'checks/words.mjs': "export const greeting = 'Hello';",
    'checks/notes.md': 'Not part of it.',
  };
  await using own = await projectFixture(files);
  const at = { cwd: own.root, env: {} };
  const next = async () => {
    await using run = await runFiles({ ...at, trials: 3 });
    return run.run.run_id;
  };
  const base = await next();
  await own.write('checks/notes.md', 'Something else.');
  expect((await compareRuns({ ...at, base, next: await next() })).conclusion).not.toBe('not_comparable');
  await own.write('checks/words.mjs', "export const greeting = 'Good morning';");
  const changed = await compareRuns({ ...at, base, next: await next() });
  expect(changed.scenarios).toMatchObject([{ not_comparable_because: ['the assertion polite changed'] }]);
});

describe('salvo run --against', () => {
  const against = (change: Partial<Parameters<typeof runFiles>[0]>) =>
    runFiles({ ...place(), against: 'git:main', ...change });

  test('fails if the agent is worse, in every format', async () => {
    const { code, stdout } = await cli(
      ...['run', '--adapter', 'hasty', '--seed', '4', '--against', 'git:main', '--junit', 'out.xml', '-q', '--json'],
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'FAIL',
      exit_code: 1,
      against: { source: 'git:main', scenarios: [{ name: 'triage', why: 'worse' }] },
    });
    await writeFile(project.path('hasty.json'), stdout);
    const [fromFile, fromStore] = await Promise.all(
      ['hasty.json', 'latest'].map((next) => compareRuns({ ...place(), base: 'git:main', next })),
    );
    expect(fromFile).toMatchObject({ conclusion: 'worse', scenarios: [{ p: fromStore?.scenarios[0]?.p }] });
    expect(await readFile(project.path('out.xml'), 'utf8')).toMatch(/<failure type="baseline" message="Worse: /);
    const report = await cli('report');
    expect(report.code).toBe(1);
    expect(report.stdout.replace(/\s+/g, ' ')).toContain(
      'It was compared with git:main. To see how: salvo compare git:main ',
    );
  });

  test('passes an agent that fails as often as before, unless a minimum says otherwise', async () => {
    await using same = await against({ adapter: 'steady', seed: 5 });
    expect(same.outcome).toMatchObject({ exitCode: 0, verdict: 'PASS' });
    expect(same.outcome.scenarios[0]?.summary.pass_rate).toBeLessThan(1);
    await using strict = await against({ adapter: 'steady', seed: 5, minPassRate: 1 });
    expect(strict.outcome.exitCode).toBe(1);
    expect(strict.against?.exit_code).toBe(0);
  });

  test('tolerates a drop up to --max-drop', async () => {
    await using run = await against({ adapter: 'hasty', seed: 6, maxDrop: 0.5 });
    expect(run.against).toMatchObject({ exit_code: 0, comparison: { conclusion: 'worse' } });
    await expect(runFiles({ ...place(), maxDrop: 0.5 })).rejects.toThrow('`maxDrop` needs a baseline');
    await expect(against({ earlyStop: true })).rejects.toThrow('leave out `earlyStop`');
  });

  test('is compared with the same baseline when it is resumed', async () => {
    const stop = new AbortController();
    {
      await using stopped = await against({
        ...{ adapter: 'hasty', seed: 8, concurrency: 1, stop: stop.signal },
        onEvent: ({ type }) => type === 'trial_finished' && stop.abort(),
      });
      expect(stopped.outcome.exitCode).toBe(3);
    }
    await using resumed = await resumeRun({ ...place(), run: 'latest' });
    expect(resumed.outcome).toMatchObject({ exitCode: 1, verdict: 'FAIL' });
    expect(resumed.against?.scenarios).toMatchObject([{ name: 'triage', why: 'worse' }]);
  });

  test('runs a scenario that is measured differently, judges it by its own rule, and says so', async () => {
    const file = project.path('scenarios/triage.yaml');
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.replace('const: true', 'type: boolean').replace('{{ticket}}', 'Sort: {{ticket}}'));
    const { code, stdout } = await cli(
      'run',
      '--adapter',
      'careful',
      '--against',
      'git:main',
      '--min-pass-rate',
      '50%',
    );
    await writeFile(file, before);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Not comparable with the baseline, so judged by its own rule: triage (the assertion output_json changed; the prompt or the messages differ)',
    );
  });
});

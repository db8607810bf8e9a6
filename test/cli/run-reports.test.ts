import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { evalResultSchema } from '../../packages/salvo/src/evaluators/eval-result.ts';
import { runDocumentSchema, scenarioSummarySchema } from '../../packages/salvo/src/run/record/run-document.ts';
import { trialResultSchema } from '../../packages/salvo/src/trial/trial-result.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { done, sampleScenario, variedScript } from './sample-scenario.ts';

/** As the documentation promises them; there may be more beside them. */
const PROMISED = {
  run: ['run_id', 'verdict', 'exit_code', 'scenarios'],
  scenario: [
    ...['name', 'file', 'model', 'adapter', 'verdict', 'trials_total', 'trials_passed', 'pass_rate', 'pass_rate_ci'],
    ...['score_avg', 'score_min', 'score_p50', 'score_p95', 'threshold', 'cost_total_usd', 'judge_cost_usd'],
    ...['latency_p50', 'latency_p95', 'assertion_failures', 'trials'],
  ],
  trial: [
    ...['trial_number', 'status', 'score', 'passed', 'eval_results', 'latency_seconds', 'cost_usd', 'retries'],
    ...['error_message', 'trace_id'],
  ],
  evalResult: [
    ...['assertion_type', 'assertion_id', 'score', 'passed', 'weight', 'required', 'status', 'details', 'metadata'],
  ],
};

/** Only beside a cost that is not known exactly, with a simulated user, and for imports. */
const IF_UNKNOWN = { cost_at_least: true, judge_cost_at_least: true } as const;
/** Of scenarios with a baseline, given conversations, rows that are held out, and several prompts. */
const IF_GIVEN = { baseline: true, given: true, holdout: true, prompt_of: true } as const;
const WITH_USER = { user_cost_usd: true, user_cost_at_least: true, simulated_users: true } as const;
const OF_USER = { user_cost_usd: true, user_cost_at_least: true, simulated_user: true } as const;

describe('run --json', () => {
  test('prints one document with the fields that are promised, and nothing else', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario({ script: variedScript() }) });
    const args = ['run', 's.yaml', '--json', '--seed', '3'];
    const { stdout, stderr } = await runCli([...args, '--quiet'], { cwd: project.root });
    const document = JSON.parse(stdout);
    const [scenario] = document.scenarios;
    const [trial] = scenario.trials;
    expect(stderr).toBe('');
    expect(Object.keys(document)).toEqual(Object.keys(runDocumentSchema.shape));
    expect(Object.keys(scenario)).toEqual([
      ...Object.keys(scenarioSummarySchema.omit({ ...IF_GIVEN, ...IF_UNKNOWN, ...WITH_USER }).shape),
      'trials',
    ]);
    expect(Object.keys(trial)).toEqual(
      Object.keys(trialResultSchema.omit({ ...IF_UNKNOWN, ...OF_USER, imported: true, faults: true }).shape),
    );
    expect(Object.keys(trial.eval_results[0])).toEqual(Object.keys(evalResultSchema.shape));
    expect(Object.keys(document)).toEqual(expect.arrayContaining(PROMISED.run));
    expect(Object.keys(scenario)).toEqual(expect.arrayContaining(PROMISED.scenario));
    expect(Object.keys(trial)).toEqual(expect.arrayContaining(PROMISED.trial));
    expect(Object.keys(trial.eval_results[0])).toEqual(PROMISED.evalResult);
    expect(documentOf({ stdout })).toEqual(document);
  });

  test('has the failures as they come on standard error, and only the document on standard output', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario({ script: [done('No.')] }) });
    const run = await runCli(['run', 's.yaml', '--json', '-n', '25'], { cwd: project.root });
    expect(documentOf(run).scenarios[0]?.trials_failed).toBe(25);
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^✖ sample, trial \d+: failed: the answer does not contain "Done"/),
      'Further failures like these are counted, and shown in the report.',
    ]);
  });

  test('lists scenarios and trials in order, whichever finishes first', async () => {
    const slow = { variants: [1, 40, 90, 150].map((delay_ms) => ({ turns: [{ ...done(), delay_ms }] })) };
    const names = ['a', 'b', 'c'];
    const files = names.map((name) => [`${name}.yaml`, sampleScenario({ name, script: slow })]);
    await using project = await projectFixture(Object.fromEntries(files));
    const args = ['run', '.', '--json', '-n', '8', '--concurrency', '16'];
    const document = documentOf(await runCli(args, { cwd: project.root }));
    expect(document.scenarios.map(({ name }) => name)).toEqual(names);
    for (const { trials } of document.scenarios) {
      expect(trials.map(({ trial_number }) => trial_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
  });
});

test('all output is ASCII where the locale has no Unicode', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script: variedScript() }) });
  const options = { cwd: project.root, env: { LANG: 'en_US.UTF-8', LC_ALL: 'C' } };
  const ascii = /^[\x20-\x7e\n]+$/;
  for (const args of [['run', 's.yaml', '-n', '10', '--seed', '3'], ['replay'], ['report', '--history'], ['--help']]) {
    const { stdout, stderr } = await runCli(args, options);
    expect(stdout + stderr).toMatch(ascii);
  }
});

test('answers that are the same to the byte are one draw, also after a resume and a reevaluation', async () => {
  await using project = await projectFixture({
    'same.yaml': sampleScenario({ name: 'same' }),
    'varied.yaml': sampleScenario({ name: 'varied', script: variedScript() }),
  });
  const json = async (...command: string[]) =>
    JSON.parse((await runCli([...command, '--json'], { cwd: project.root })).stdout);
  const same = { identical_trials: true, pass_rate: 1 };
  const varied = { identical_trials: false };
  expect(await json('run', '.', '-n', '6', '--seed', '3')).toMatchObject({ scenarios: [same, varied] });
  expect(await json('run', '--resume', 'latest')).toMatchObject({ scenarios: [same, varied] });
  expect(await json('reeval')).toMatchObject({ scenarios: [{ after: same }, { after: varied }] });
  expect(await json('run', 'same.yaml', '-n', '1')).toMatchObject({ scenarios: [{ identical_trials: false }] });
});

test('in GitHub Actions a scenario that failed is an error at its file', async () => {
  await using project = await projectFixture({
    'app/salvo.yaml': '',
    'app/s.yaml': sampleScenario({ script: [done('No.')] }),
    'app/fine.yaml': sampleScenario({ name: 'fine' }),
  });
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: project.root };
  const { stdout, stderr } = await runCli(['run', '.', '--json'], { cwd: project.path('app'), env });
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1 });
  expect(stderr).toMatch(
    /^::error file=app\/s\.yaml,line=1,title=sample%3A FAIL::0 of 3 trials passed; 100%25 must pass \(min_pass_rate\)%0A/m,
  );
  expect(stderr).not.toContain('fine');
});

describe('report files', () => {
  const files = { 's.yaml': sampleScenario({ script: variedScript() }) };

  test('are written beside the report for people, and GitHub’s summary is added to', async () => {
    await using project = await projectFixture({ ...files, 'summary.md': 'Earlier step.\n' });
    const targets = ['--junit', 'junit.xml', '--markdown', 'run.md', '--csv', 'run.csv'];
    const { code, stdout } = await runCli(['run', 's.yaml', '-n', '10', '--seed', '3', ...targets], {
      cwd: project.root,
      env: { GITHUB_STEP_SUMMARY: project.path('summary.md') },
    });
    const read = (name: string) => readFile(project.path(name), 'utf8');
    expect(code).toBe(1);
    expect(stdout).toContain('PARTIAL');
    expect(await read('junit.xml')).toMatch(/^<\?xml .*<testsuites .*<failure .*<\/testsuites>\s*$/s);
    expect(await read('run.md')).toContain('sample');
    expect((await read('run.csv')).trimEnd().split('\r\n')).toHaveLength(11);
    expect(await read('summary.md')).toBe(`Earlier step.\n${await read('run.md')}`);
  });

  test('make the folders they are in', async () => {
    await using project = await projectFixture(files);
    const targets = ['--junit', 'out/deep/junit.xml', '--markdown', 'out/run.md', '--csv', 'out/run.csv'];
    const { stderr } = await runCli(['run', 's.yaml', '-n', '1', '--quiet', ...targets], { cwd: project.root });
    expect(stderr).toBe('');
    expect(await readdir(project.path('out'))).toEqual(['deep', 'run.csv', 'run.md']);
    expect(await readdir(project.path('out/deep'))).toEqual(['junit.xml']);
    const exported = await runCli(['export', '-o', 'out/trials/all.jsonl'], { cwd: project.root });
    expect([exported.code, existsSync(project.path('out/trials/all.jsonl'))]).toEqual([0, true]);
  });

  test('that could not be written are wrong input, before anything is run and paid for', async () => {
    await using project = await projectFixture(files);
    await mkdir(project.path('folder'));
    const targets = [
      ['--junit', 's.yaml/junit.xml'],
      ['--markdown', 'folder'],
      ['--csv', 's.yaml/deep/run.csv'],
    ] as const;
    for (const [option, target] of targets) {
      const { code, stderr } = await runCli(['run', 's.yaml', '-n', '2', option, target], { cwd: project.root });
      expect([option, code]).toEqual([option, 4]);
      expect(stderr).toContain(`Could not write ${target}`);
    }
    const history = await runCli(['report', '--history', '--json'], { cwd: project.root });
    expect(JSON.parse(history.stdout).runs).toEqual([]);
  });

  test('can be made again from the stored run, byte for byte the same', async () => {
    await using project = await projectFixture(files);
    const args = ['--json', '--junit', 'j1.xml', '--csv', 'c1.csv'];
    const run = await runCli(['run', 's.yaml', '--quiet', ...args], { cwd: project.root });
    const again = await runCli(['report', '--json', '--junit', 'j2.xml', '--csv', 'c2.csv'], { cwd: project.root });
    const read = (name: string) => readFile(project.path(name), 'utf8');
    expect(again).toEqual(run);
    expect(await read('j2.xml')).toBe(await read('j1.xml'));
    expect(await read('c2.csv')).toBe(await read('c1.csv'));
  });
});

test('a report whose file is - is all of standard output', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script: [done('No.')] }) });
  const cwd = project.root;
  const summary = await runCli(['run', 's.yaml', '-n', '2', '--quiet', '--markdown', '-'], { cwd });
  expect(summary.stdout).toMatch(/^## /);
  const printed = await runCli(['report', '--markdown', '-'], { cwd });
  const again = await runCli(['report', '--markdown', 'm.md', '--csv', '-'], { cwd });
  expect(printed.stdout).toBe(await readFile(project.path('m.md'), 'utf8'));
  expect(again.stdout.split('\n')[0]).toContain('trial_number');
  expect(existsSync(project.path('-'))).toBe(false);
  for (const more of [['--json'], ['--junit', '-']]) {
    const refused = await runCli(['report', '--markdown', '-', ...more], { cwd });
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    expect(refused.stderr).toContain('Only one report can be written to standard output (-)');
  }
});

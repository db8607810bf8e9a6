import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkResult } from '../../action/check-result.ts';
import { fetchBaseline } from '../../action/fetch-baseline.ts';
import { sarifFromRepository } from '../../action/sarif-paths.ts';
import { splitWords } from '../../action/split-words.ts';
import { builtMain } from '../built-package.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const ACTION = fileURLToPath(new URL('../../action/', import.meta.url));
const REAL_SALVO = `#!/bin/sh\nexec "${process.execPath}" "${await builtMain()}" "$@"\n`;
const FAILING = `prompt: hi
adapter: scripted
script: [{ content: "no\\n::error::forged" }]
assertions: [{ type: output_contains, value: "yes" }]
`;

/** A repository with a project in the folder `app`, whose Salvo is this program. */
async function repository(files: Record<string, string>, salvo = REAL_SALVO): Promise<ProjectFixture> {
  const fixture = await projectFixture({ ...files, 'app/node_modules/.bin/salvo': salvo, output: '', 'page.md': '' });
  await chmod(fixture.path('app/node_modules/.bin/salvo'), 0o755);
  await mkdir(fixture.path('temp'));
  return fixture;
}

/** Runs the step as the Action does, and reads its outputs. */
async function step(fixture: ProjectFixture, env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [`${ACTION}run.ts`], {
    cwd: fixture.root,
    env: {
      ...{ PATH, HOME, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: fixture.root, RUNNER_TEMP: fixture.path('temp') },
      ...{ GITHUB_OUTPUT: fixture.path('output'), GITHUB_STEP_SUMMARY: fixture.path('page.md') },
      ...{ SALVO_WORKING_DIRECTORY: 'app', ...env },
    },
  });
  const written = await readFile(fixture.path('output'), 'utf8');
  const outputs = Object.fromEntries(
    [...written.matchAll(/^([a-z-]+)<<(.+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
  return { stdout, stderr, outputs, page: await readFile(fixture.path('page.md'), 'utf8') };
}

describe('the step that runs Salvo', () => {
  test('shows the report, annotates the line of the scenario, and keeps the exit code for the verdict', async () => {
    await using fixture = await repository({ 'app/s.yaml': `# first\nname: greets\n${FAILING}` });
    const { stdout, stderr, outputs, page } = await step(fixture, { SALVO_ARGS: "'s.yaml' -n 2" });
    expect(outputs).toMatchObject({ 'exit-code': '1', verdict: 'FAIL', 'run-id': expect.stringMatching(/^\w{10}$/) });
    expect(stderr).toMatch(/^::error file=app\/s\.yaml,line=2,title=greets%3A FAIL::/m);
    expect(stdout).toContain('FAIL   exit code 1');
    expect(`${stdout}${stderr}`).not.toMatch(/^::error::forged/m);
    expect(page).toContain('greets');
    expect(await readFile(outputs.summary ?? '', 'utf8')).toContain('greets');
  });

  test('uploads SARIF whose paths begin at the repository', async () => {
    const open = 'resource "aws_ebs_volume" "data" {\n  availability_zone = "x"\n  size = 1\n  encrypted = false\n}\n';
    await using fixture = await repository({ 'app/infra/main.tf': open, 'app/old.sarif': 'stale' });
    const { outputs, page } = await step(fixture, {
      ...{ SALVO_COMMAND: 'scan', SALVO_ARGS: 'infra --fail-on none', SALVO_SARIF: 'old.sarif' },
    });
    expect(outputs['exit-code']).toBe('0');
    const { runs } = JSON.parse(await readFile(outputs.sarif ?? '', 'utf8'));
    const [result] = runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('app/infra/main.tf');
    expect(runs[0].tool.driver.rules[0].properties['security-severity']).toEqual(expect.any(String));
    expect(page).toContain('infra/main.tf');
  });

  test('compares with the baseline, and fails if that of the target branch cannot be had', async () => {
    const document = '{"run_id":"x","verdict":"PASS","exit_code":0,"scenarios":[{"trials_total":1}]}';
    const recording = `#!/bin/sh\n[ "$1" = run ] && echo "$@" > args && echo '${document}'\nexit 0\n`;
    const event = (name: string) => fileURLToPath(new URL(`../fixtures/github-events/${name}.json`, import.meta.url));
    await using fixture = await repository({ 'app/b.json': '{}' }, recording);
    const pushed = await step(fixture, { SALVO_BASELINE: 'b.json', GITHUB_EVENT_PATH: event('push') });
    expect(pushed.outputs).toMatchObject({ 'exit-code': '0', verdict: 'PASS' });
    expect(await readFile(fixture.path('app/args'), 'utf8')).toContain(` --against ${fixture.path('app/b.json')}\n`);
    const pulled = await step(fixture, { SALVO_BASELINE: 'b.json', GITHUB_EVENT_PATH: event('pull_request') });
    expect(pulled.outputs['exit-code']).toBe('3');
    expect(pulled.stdout).toContain('::error title=Salvo::The branch main could not be fetched');
  });

  test('writes the part of a shard, which has no verdict', async () => {
    await using fixture = await repository({ 'app/s.yaml': FAILING });
    const { outputs } = await step(fixture, { SALVO_ARGS: 's.yaml -n 2', SALVO_ACTION_SHARD: '2/2' });
    expect(outputs).toEqual({
      'exit-code': '0',
      part: fixture.path('app/salvo-parts/salvo-part-2-of-2.jsonl'),
    });
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['prints nothing', 'exit 0', {}, '3'],
    ['prints half a document', 'echo \'{"run_id":"x"\'', {}, '3'],
    ['ran no trial', 'echo \'{"run_id":"x","exit_code":0,"scenarios":[]}\'', {}, '3'],
    ['is killed', 'kill -9 $$', {}, '3'],
    ['writes no part', 'exit 0', { SALVO_ACTION_SHARD: '1/2' }, '3'],
    ['writes no SARIF', 'echo \'{"findings":[]}\'', { SALVO_COMMAND: 'scan', SALVO_SARIF: 'x.sarif' }, '3'],
    ['fails without a document', 'exit 2', {}, '2'],
  ])('is never green when Salvo %s', async (_, script, env, expected) => {
    await using fixture = await repository({}, `#!/bin/sh\n${script}\n`);
    const { outputs, stdout } = await step(fixture, env);
    expect(outputs['exit-code']).toBe(expected);
    expect(stdout).toMatch(/^::error title=Salvo::/m);
  });

  test.each<[Record<string, string>, string]>([
    [{ SALVO_COMMAND: 'demo' }, 'command: "demo" is none of run, merge, score, scan, game.'],
    [{ SALVO_FAIL_ON: 'never' }, 'fail-on: "never" is none of any, none.'],
    [{ SALVO_ARGS: "'s.yaml" }, "args: a quote is not closed: '"],
    [{ SALVO_ARGS: '--markdown x.md' }, 'args: the Action uses --json and --markdown itself.'],
    [{ SALVO_SARIF: 'x.sarif' }, 'sarif: run writes none; score, scan, game do.'],
    [{ SALVO_ACTION_SHARD: '2' }, 'shard: give a part such as 2/4.'],
    [{ SALVO_COMMAND: 'scan', SALVO_BASELINE: 'b.json' }, 'baseline: only run and merge are compared with one.'],
    [{ SALVO_WORKING_DIRECTORY: '.' }, 'Salvo is not installed.'],
  ])('refuses %j', async (env, message) => {
    await using fixture = await repository({}, '#!/bin/sh\nexit 0\n');
    const { outputs, stdout } = await step(fixture, env);
    expect(outputs).toEqual({ 'exit-code': '4' });
    expect(stdout).toContain(`::error title=Salvo::${message}`);
  });
});

describe('the step of the verdict', () => {
  test.each([
    ['0', 'any', 0],
    ['1', 'any', 1],
    ['x', 'any', 3],
    ['2', 'none', 0],
    ['3', 'none', 3],
    ['', 'none', 3],
  ])('exit code "%s" with fail-on %s ends with %i', (exitCode, failOn, expected) => {
    const env = { PATH: process.env.PATH, SALVO_EXIT_CODE: exitCode, SALVO_FAIL_ON: failOn };
    expect(spawnSync(process.execPath, [`${ACTION}verdict.ts`], { env }).status).toBe(expected);
  });
});

describe('a result', () => {
  const run = (changes: object, exitCode: number | null = 0) =>
    checkResult({
      command: 'run',
      exitCode,
      stdout: JSON.stringify({
        run_id: 'abc',
        verdict: 'PASS',
        exit_code: 0,
        scenarios: [{ trials_total: 2 }],
        ...changes,
      }),
    });

  test('with trials is what it says', () => {
    expect(run({})).toEqual({ exitCode: 0, verdict: 'PASS', runId: 'abc', problem: null });
    expect(run({ exit_code: 1, verdict: 'FAIL' }, 1)).toMatchObject({ exitCode: 1, problem: null });
  });

  test.each([
    [{ exit_code: 1 }],
    [{ scenarios: [{ trials_total: 0 }] }],
    [{ scenarios: [{ trials_total: '2' }, null] }],
    [{ scenarios: 'x' }],
  ])('with %j is none', (changes) => {
    expect(run(changes)).toMatchObject({ exitCode: 3, problem: expect.any(String) });
  });

  test('cannot put anything into the outputs of the step', () => {
    expect(run({ run_id: 'a\nexit-code=0', verdict: 'PASS$(id)' })).toMatchObject({ runId: '', verdict: '' });
  });

  test.each([
    ['score', '{}'],
    ['game', '{"status":"failed"}'],
    ['scan', '{"findings":null}'],
    ['scan', '[]'],
  ])('of %s that is %s is none', (command, stdout) => {
    expect(checkResult({ command, exitCode: 0, stdout })).toMatchObject({ exitCode: 3 });
  });
});

test.each([
  ['-n 10  --tag "a b"\n --grep \'$(id) \\n\'', ['-n', '10', '--tag', 'a b', '--grep', '$(id) \\n']],
  ['a\\ b "c\\"d" \'\' e""f', ['a b', 'c"d', '', 'ef']],
  ['  \n', []],
  ['; rm -rf / && `id` | x > y *', [';', 'rm', '-rf', '/', '&&', '`id`', '|', 'x', '>', 'y', '*']],
])('the words of %j are arguments, and nothing in them is executed', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test('SARIF keeps addresses and absolute paths, and other fields called uri', () => {
  const place = (uri: string) => ({ physicalLocation: { artifactLocation: { uri } } });
  const log = { runs: [{ results: [place('a b.tf'), place('file:///x.tf'), place('/y.tf')], helpUri: 'z', uri: 'z' }] };
  expect(JSON.parse(sarifFromRepository(JSON.stringify(log), 'my app'))).toEqual({
    runs: [{ results: [place('my%20app/a b.tf'), place('file:///x.tf'), place('/y.tf')], helpUri: 'z', uri: 'z' }],
  });
  expect(() => sarifFromRepository('[]', '')).toThrow('has no runs');
});

describe('the baseline', () => {
  const git = (cwd: string, ...args: string[]) => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
  };

  test('is that of the target branch, and not one that the pull request brought', async () => {
    await using origin = await projectFixture({ 'app/b.json': '"of main"' });
    git(origin.root, 'init', '--quiet');
    git(origin.root, 'add', '.');
    git(origin.root, 'commit', '--quiet', '-m', 'one');
    await using clone = await projectFixture({ 'app/b.json': '"of the pull request"' });
    git(clone.root, 'init', '--quiet');
    git(clone.root, 'remote', 'add', 'origin', origin.root);
    const fetch = (path: string, branch: string | null) =>
      fetchBaseline({ path, branch, folder: clone.path('app'), scratch: clone.root });
    expect(await readFile(fetch('b.json', 'main').file ?? '', 'utf8')).toBe('"of main"');
    expect(await readFile(fetch('b.json', null).file ?? '', 'utf8')).toBe('"of the pull request"');
    expect(fetch('c.json', 'main')).toEqual({ file: null, notice: expect.stringContaining('main has no c.json yet') });
    expect(() => fetch('b.json', 'nowhere')).toThrow('The branch nowhere could not be fetched');
    expect(() => fetch('b.json', '--upload-pack=x')).toThrow('is no name of a branch');
    expect(() => fetch('/etc/passwd', 'main')).toThrow('relative to the project');
  });
});

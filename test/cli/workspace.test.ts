import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import type { Trace } from '../../packages/salvo/src/trace/trace.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { isThorough } from '../thorough.ts';
import { documentOf, runCli, storeOf } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/coding-agent', import.meta.url));

/** A project with a folder of three files, and an agent with this body, which has `workspace` and `fs`. */
function files(body: string, scenario = ''): Record<string, string> {
  return {
    'agent.mjs': `import { execFileSync } from 'node:child_process';\nimport * as fs from 'node:fs';\nimport { join } from 'node:path';
export default ({ workspace, trialNumber }) => { const at = (name) => join(workspace, name); const here = (name) => join(import.meta.dirname, name); ${body}; return 'Done.'; };\n`,
    'salvo.yaml': 'adapters: { mine: { type: module, path: agent.mjs, isolate: false } }',
    's.yaml': `prompt: Work.\nadapter: mine\nworkspace: ./repo\ntrials: 1\n${scenario || 'assertions: [{ type: file_unchanged, paths: "**" }]'}\n`,
    'repo/a.txt': 'one\ntwo\nthree\n',
    'repo/src/b.txt': 'b\n',
    'repo/src/c.txt': 'c\n',
  };
}

async function run(project: ProjectFixture, ...args: string[]) {
  const result = await runCli(['run', 's.yaml', '--json', ...args], { cwd: project.root });
  const document = documentOf(result);
  await using store = await storeOf(project);
  const traces: (Trace | null)[] = [];
  for await (const { trace_id } of store.trials(document.run_id)) {
    traces.push(trace_id === null ? null : await store.getTrace(trace_id));
  }
  const [trial] = document.scenarios[0]?.trials ?? [];
  return { ...result, document, trial, traces, workspace: traces[0]?.workspace };
}

async function reevaluated(project: ProjectFixture) {
  await runCli(['reeval', 'latest'], { cwd: project.root });
  await using store = await storeOf(project);
  const [latest] = await store.listRuns({ limit: 1 });
  for await (const { result } of store.trials(latest?.run_id ?? '')) return result?.eval_results ?? [];
  return [];
}

test('the example: an agent that does its work passes, one that guesses fails, and one that deletes the tests fails hard', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (path) => !path.includes('.salvo') });
  const codes: Record<string, number | null> = {};
  for (const adapter of ['careful', 'careless', 'cheating']) {
    codes[adapter] = (await runCli(['run', '--adapter', adapter], { cwd: project.root })).code;
    const again = await runCli(['reeval', 'latest'], { cwd: project.root });
    expect(again.code, again.stdout).toBe(codes[adapter]);
  }
  expect(codes).toEqual({ careful: 0, careless: 1, cheating: 2 });
  expect(await readFile(project.path('repo/src/price.mjs'), 'utf8')).toContain('1.08');
});

describe('what the agent changed', () => {
  it('is in the trace, and the folder itself is neither changed nor left', async () => {
    await using project = await projectFixture(
      files(`fs.writeFileSync(here('seen'), workspace);
        fs.writeFileSync(at('a.txt'), 'one\\n2\\nthree\\n'); fs.rmSync(at('src/b.txt')); fs.writeFileSync(at('new.txt'), 'new');
        fs.writeFileSync(at('image'), new Uint8Array([0, 1, 2])); fs.symlinkSync('/etc', at('link'));
        fs.chmodSync(at('src/c.txt'), 0o755)`),
    );
    const { workspace, code, stdout } = await run(project);
    expect(code, stdout).toBe(1);
    expect(workspace?.files).toEqual([
      expect.objectContaining({ path: 'a.txt', change: 'changed', content: 'one\n2\nthree\n' }),
      expect.objectContaining({ path: 'image', change: 'added', bytes: 3, without_content: 'binary' }),
      { path: 'link', change: 'added', link: '/etc' },
      expect.objectContaining({ path: 'new.txt', change: 'added', content: 'new' }),
      { path: 'src/b.txt', change: 'deleted' },
      expect.objectContaining({ path: 'src/c.txt', change: 'changed', diff: '' }),
    ]);
    expect(workspace?.files[0]?.diff).toBe('@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n ');
    expect(existsSync(await readFile(project.path('seen'), 'utf8'))).toBe(false);
    expect(await readFile(project.path('repo/a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it.each([
    ['deletes the folder', `fs.rmSync(workspace, { recursive: true })`, 'a.txt (deleted)'],
    [
      'replaces the folder by a link',
      `fs.rmSync(workspace, { recursive: true }); fs.symlinkSync('/etc', workspace)`,
      '. (changed)',
    ],
    [
      'replaces a folder by a file',
      `fs.rmSync(at('src'), { recursive: true }); fs.writeFileSync(at('src'), 'x')`,
      'src (added)',
    ],
    [
      'replaces a file by a link',
      `fs.rmSync(at('a.txt')); fs.symlinkSync('/etc/passwd', at('a.txt'))`,
      'a.txt (changed)',
    ],
    ['writes 1 GB', `fs.ftruncateSync(fs.openSync(at('huge'), 'w'), 2 ** 30)`, 'huge (added)'],
    [
      'writes as many bytes as before, with the same time',
      `const { atime, mtime } = fs.statSync(at('a.txt')); fs.writeFileSync(at('a.txt'), 'one\\nTWO\\nthree\\n'); fs.utimesSync(at('a.txt'), atime, mtime)`,
      'a.txt (changed)',
    ],
    ['takes away its own rights', `fs.writeFileSync(at('src/d'), ''); fs.chmodSync(at('src'), 0)`, 'src'],
    ['makes a pipe', `execFileSync('mkfifo', [at('pipe')])`, null],
    ['writes what was there', `fs.writeFileSync(at('a.txt'), 'one\\ntwo\\nthree\\n')`, null],
    ['changes files of Git', `fs.mkdirSync(at('.git')); fs.writeFileSync(at('.git/index'), 'x')`, null],
  ])('one that %s', async (_, body, expected) => {
    await using project = await projectFixture(files(`fs.writeFileSync(here('seen'), workspace); ${body}`));
    const { trial, code } = await run(project);
    expect(code).toBe(expected === null ? 0 : 1);
    if (expected !== null) expect(trial?.eval_results[0]?.details).toContain(expected);
    const seen = await readFile(project.path('seen'), 'utf8');
    expect(lstatSync(seen, { throwIfNoEntry: false })).toBeUndefined();
  });

  it.runIf(isThorough())('is listed up to a limit, and what is not listed is not judged', async () => {
    const many = `for (let i = 0; i < 3000; i += 1) fs.writeFileSync(at('n' + i), 'x')`;
    await using project = await projectFixture(
      files(
        many,
        'assertions: [{ type: file_unchanged, paths: src }, { type: file_contains, path: a.txt, value: two }]',
      ),
    );
    const { trial, workspace, code } = await run(project);
    expect(workspace?.not_listed).toBe(1001);
    expect(trial?.eval_results.map(({ status, passed }) => [status, passed])).toEqual([
      ['unscored', false],
      ['scored', true],
    ]);
    expect(code).toBe(3);
  });
});

describe('assertions on files', () => {
  const assertions = `assertions:
  - { type: file_contains, path: ./a.txt, value: [two, three] }
  - { type: file_not_contains, path: new.txt, value: SECRET, case_sensitive: false }
  - { type: file_matches, path: new.txt, pattern: "^n.w" }
  - { type: file_not_matches, path: new.txt, pattern: "[0-9]" }
  - { type: file_contains, path: nowhere.txt, value: x }
  - { type: file_contains, path: src/b.txt, value: b }
  - { type: file_unchanged, paths: [src, a.txt], except: src/b.txt }
`;

  it('read the files as they are after the trial, and again with reeval', async () => {
    await using project = await projectFixture(
      files(`fs.writeFileSync(at('new.txt'), 'new secret'); fs.rmSync(at('src/b.txt'))`, assertions),
    );
    const { trial } = await run(project);
    expect(trial?.eval_results.map(({ passed, details }) => `${passed} ${details}`)).toEqual([
      expect.stringMatching(/^true .\/a.txt contains/),
      expect.stringMatching(/^false new.txt contains "SECRET"/),
      expect.stringMatching(/^true new.txt matches/),
      expect.stringMatching(/^true new.txt does not match/),
      'false there is no file nowhere.txt after the trial',
      'false the agent deleted src/b.txt',
      'true nothing of src, a.txt was changed',
    ]);
    expect(await reevaluated(project)).toEqual(trial?.eval_results);
  });

  it('that are new are not scored with reeval, if the trace does not have the file', async () => {
    await using project = await projectFixture(files(''));
    await run(project);
    const added = `assertions: [{ type: file_contains, path: a.txt, value: two }, { type: command_succeeds, command: "true" }]`;
    await project.write('s.yaml', files('', added)['s.yaml'] ?? '');
    expect((await reevaluated(project)).map(({ status, details }) => [status, details])).toEqual([
      ['unscored', expect.stringContaining('does not have a.txt')],
      ['unscored', expect.stringContaining('was not run after this trial')],
    ]);
  });
});

describe('command_succeeds', () => {
  it.each([
    ['"true"', 'scored', 'exit code 0'],
    ['[node, -e, "console.log(process.cwd()); process.exit(3)"]', 'scored', /exit code 3\.\n.*salvo-workspace-.*repo/],
    ['[node, -e, "process.exit(process.env.SALVO_WORKSPACE === process.cwd() ? 0 : 1)"]', 'scored', 'exit code 0'],
    ['[sleep, "60"], timeout_seconds: 0.5', 'scored', 'had not ended after 0.5 s'],
    ['"./gone.sh"', 'scored', 'is not in the workspace'],
    ['"true", cwd: src/gone', 'scored', 'is not in the workspace'],
    ['no-such-program', 'unscored', 'was not found on this machine'],
    ['[sh, -c, "kill -9 $$"]', 'scored', 'was ended by a signal'],
    ['[sh, -c, "test $GREETING = hello"], env: [GREETING=hello]', 'scored', 'exit code 0'],
    ['[sh, -c, "test -z $HIDDEN"]', 'scored', 'exit code 0'],
  ])('%s', async (command, status, details) => {
    await using project = await projectFixture(
      files('', `assertions: [{ type: command_succeeds, command: ${command} }]`),
    );
    const result = await runCli(['run', 's.yaml', '--json'], { cwd: project.root, env: { HIDDEN: 'x' } });
    const [trial] = documentOf(result).scenarios[0]?.trials ?? [];
    expect(trial?.eval_results[0]).toMatchObject({ status });
    expect(trial?.eval_results[0]?.details).toMatch(details);
  });

  it('that could not be run needs a new trial: its workspace is gone', async () => {
    await using project = await projectFixture(
      files('', 'assertions: [{ type: command_succeeds, command: no-such-program }]'),
    );
    const { code, stdout } = await runCli(['run', 's.yaml'], { cwd: project.root });
    expect(code).toBe(3);
    expect(stdout.replace(/\s+/g, ' ')).toContain('then run again, as its workspace is gone');
    expect(stdout).not.toContain('reeval');
  });

  it('runs after the files were compared, so what it writes is not the agent’s', async () => {
    const scenario = `assertions: [{ type: command_succeeds, command: [touch, coverage] }, { type: file_unchanged, paths: "**" }]`;
    await using project = await projectFixture(files('', scenario));
    expect((await run(project)).code).toBe(0);
  });
});

test('a folder that an agent changes is found: the later trials are not scored, and the file is named', async () => {
  await using project = await projectFixture(files(`fs.writeFileSync(here('repo/a.txt'), 'gone')`));
  const { document, code } = await run(project, '-n', '2', '--concurrency', '1');
  expect(code).toBe(3);
  const [, second] = document.scenarios[0]?.trials ?? [];
  expect(second).toMatchObject({ status: 'unscored', error_code: 'FILE_CHANGED' });
  expect(second?.error_message).toMatch(/repo has changed since the run began \(a\.txt\)/);
});

test('each row can have a folder of its own, and what is excluded or linked is not copied', async () => {
  const look = `fs.writeFileSync(here('seen-' + fs.readdirSync(workspace).sort().join()), fs.lstatSync(at('deps'), { throwIfNoEntry: false })?.isSymbolicLink() ? 'link' : '')`;
  await using project = await projectFixture({
    ...files(look),
    's.yaml': `prompt: "Work on {{repo}}."\nadapter: ./agent.mjs\ntrials: 1
workspace: { folder: "./{{repo}}", exclude: ["**/*.log", dist], link: [deps] }
data: [{ repo: repo }, { repo: other }]
assertions: [{ type: file_unchanged, paths: "**" }]\n`,
    'other/x.txt': 'x',
    'other/x.log': 'x',
    'other/dist/x.js': 'x',
    'other/deps/index.js': 'x',
  });
  const result = await runCli(['run', 's.yaml'], { cwd: project.root });
  expect(result.code, result.stdout + result.stderr).toBe(0);
  const seen = readdirSync(project.root).filter((name) => name.startsWith('seen-'));
  expect(seen.sort()).toEqual(['seen-a.txt,src', 'seen-deps,x.txt']);
  expect(await readFile(project.path('seen-deps,x.txt'), 'utf8')).toBe('link');
});

test('a workspace without a folder is empty at first, and --keep-workspaces says where all are kept', async () => {
  await using project = await projectFixture({
    ...files(`fs.writeFileSync(at('report.md'), fs.readdirSync(workspace).length + ' files')`),
    's.yaml': `prompt: Work.\nadapter: ./agent.mjs\nworkspace: {}\ntrials: 1\nassertions: [{ type: file_contains, path: report.md, value: 0 files }]\n`,
  });
  const { code, stdout, stderr } = await runCli(['run', 's.yaml', '--keep-workspaces'], { cwd: project.root });
  expect(code).toBe(0);
  const folder = /workspaces are kept in (\S+)/.exec(stdout + stderr)?.[1] ?? '';
  const [kept = ''] = readdirSync(folder);
  expect(kept).toMatch(/^s-1-/);
  expect(await readFile(join(folder, kept, 'workspace/report.md'), 'utf8')).toBe('0 files');
  await rm(folder, { recursive: true });
});

test.each([
  ['workspace: ./nowhere', '3:12', 'the folder ./nowhere does not exist'],
  ['workspace: ./a.txt', '3:12', './a.txt is not a folder'],
  ['workspace: ../..', '3:12', 'is outside the project'],
  ['workspace: { folder: ./repo, copy: all }', '3:30', 'copy'],
  ['workspace: ./linked', '3:12', 'out is a link that leads out of the folder'],
  ['workspace: []', '3:12', ''],
  ['services: [{ name: a, command: x }, { name: a, command: x }]', '3:45', 'two services named "a"'],
  ['services: [{ name: a b, command: x }]', '3:20', 'letters'],
  ['services: [{ name: a, command: x, cwd: ./nowhere }]', '3:40', './nowhere is not a folder'],
  ['services: [{ name: a, command: x, run_in: workspace }]', '3:43', 'the scenario has no workspace'],
  ['services: [{ name: a, command: x, ready: { http: health } }]', '3:50', 'a path begins with /'],
  ['services: [{ name: a, command: x, env: ["1=2"] }]', '3:41', 'NAME=value'],
])('%s is wrong at %s', async (line, place, message) => {
  await using project = await projectFixture({
    's.yaml': `prompt: Work.\nadapter: openai\n${line}\nassertions: [{ type: output_contains, value: x }]\n`,
    'a.txt': '',
    'repo/a.txt': '',
    'linked/a.txt': '',
  });
  symlinkSync('../repo', project.path('linked/out'));
  const { code, stdout, stderr } = await runCli(['validate', 's.yaml'], { cwd: project.root });
  expect(code).toBe(4);
  expect(stdout + stderr).toContain(`s.yaml:${place}`);
  expect(stdout + stderr).toContain(message);
});

test.each([
  ['{ type: file_contains, path: ../x, value: x }', 'leads out of the workspace'],
  ['{ type: file_contains, path: /etc/passwd, value: x }', 'leads out of the workspace'],
  ['{ type: file_matches, path: x, pattern: "(" }', 'pattern'],
  ['{ type: command_succeeds, command: "true", cwd: ../.. }', 'leads out of the workspace'],
  ['{ type: command_succeeds, command: [] }', 'command'],
])('the assertion %s is wrong', async (assertion, message) => {
  await using project = await projectFixture(files('', `assertions: [${assertion}]`));
  const { code, stdout, stderr } = await runCli(['validate', 's.yaml'], { cwd: project.root });
  expect(code).toBe(4);
  expect(stdout + stderr).toContain(message);
});

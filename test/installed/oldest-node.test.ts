import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { builtPackage } from '../built-package.ts';
import { type CliOptions, documentOf, runProgram, startCli, storedBytes } from '../cli/cli-fixture.ts';
import { sampleScenario, variedScript } from '../cli/sample-scenario.ts';
import { createDatabase } from '../postgres.ts';
import { projectFixture } from '../project-fixture.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
const FILES = {
  'salvo.yaml': 'scenarios_dir: .\n',
  's.yaml': sampleScenario({ script: variedScript(20), min_pass_rate: 0.1 }),
  'agent.ts': "export default ({ messages }: { messages: unknown[] }) => 'Done: ' + messages.length;\n",
  'own.yaml': sampleScenario({ name: 'own', adapter: './agent.ts', script: undefined }),
};

/** Fails with all that was printed, unless the command ends as expected. */
async function salvo(args: string[], options: CliOptions, code = 0) {
  const result = await runProgram(args, options);
  expect(
    `${args.join(' ')}\nexit code ${result.code}\n${result.code === code ? '' : result.stdout + result.stderr}`,
  ).toBe(`${args.join(' ')}\nexit code ${code}\n`);
  expect(result.stderr).not.toMatch(/^\s+at |is not a function|is not defined/m);
  return result;
}

beforeAll(() => {
  const { SALVO_TEST_NODE: node = '', SALVO_TEST_NODE_VERSION: version } = process.env;
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`);
});

test('run, report, replay, reeval, compare and a baseline', async () => {
  await using project = await projectFixture(FILES);
  const at = { cwd: project.root };
  const first = documentOf(await salvo(['run', '-n', '10', '--seed', '1', '--json'], at));
  expect(first.scenarios.map(({ trials_total }) => trials_total)).toEqual([10, 10]);
  await salvo(['report', 'latest'], at);
  await salvo(['replay', 'own', '1'], at);
  await salvo(['reeval', 'latest'], at);
  await salvo(['baseline', 'set', first.run_id], at);
  await salvo(['run', '-n', '10', '--seed', '1', '--against', 'salvo-baseline.json'], at);
  const { stdout } = await salvo(['compare', 'latest~1', 'latest', '--json'], at);
  expect(JSON.parse(stdout).exit_code).toBe(0);
});

/** One agent that Node loads itself, and one that it does not: it has an enum, and an import without an extension. */
const TYPESCRIPT_AGENTS = {
  'salvo.yaml': 'scenarios_dir: .\n',
  'types.ts': "export default ({ messages }: { messages: unknown[] }): string => 'Done: ' + messages.length;\n",
  'types.yaml': sampleScenario({ name: 'types', adapter: './types.ts', script: undefined }),
  'enum.ts': "import { words } from './words';\nenum Word { Done = 'Done' }\nexport default () => words(Word.Done);\n",
  'enum.yaml': sampleScenario({ name: 'enum', adapter: './enum.ts', script: undefined }),
  'words.ts': "export const words = (word: string): string => word + '.';\n",
};

test('an agent in TypeScript, in a form that Node loads itself and in one that needs a loader', async () => {
  await using project = await projectFixture(TYPESCRIPT_AGENTS);
  const at = { cwd: project.root };
  await salvo(['run', 'types.yaml', '-n', '2'], at);
  const refused = await runProgram(['run', 'enum.yaml', '-n', '2'], at);
  expect(refused.stdout + refused.stderr).toContain('npm install --save-dev tsx');
  await mkdir(project.path('node_modules'));
  await symlink(fileURLToPath(new URL('../../node_modules/tsx', import.meta.url)), project.path('node_modules/tsx'));
  const { scenarios } = documentOf(await salvo(['run', '-n', '2', '--json'], at));
  expect(scenarios.map(({ name, trials_passed }) => [name, trials_passed])).toEqual([
    ['enum', 2],
    ['types', 2],
  ]);
});

test('a run that was killed is resumed', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'scenarios_dir: .\n',
    's.yaml': sampleScenario({ script: variedScript(300), min_pass_rate: 0 }),
  });
  const at = { cwd: project.root };
  const killed = startCli(['run', '-n', '30', '-c', '1'], at);
  const store = () => storedBytes(project).catch(() => '');
  await expect.poll(store).toContain('"trial_number":2');
  killed.child.kill('SIGKILL');
  await killed.result;
  const resumed = documentOf(await salvo(['run', '--resume', 'latest', '-c', '30', '--json'], at));
  expect(resumed.scenarios[0]?.trials_total).toBe(30);
});

test('a page of the viewer, with what the run stored', async () => {
  await using project = await projectFixture(FILES);
  const at = { cwd: project.root };
  await salvo(['run', '-n', '2', '--seed', '1'], at);
  const viewer = startCli(['view', '--no-open', '--port', '0'], at);
  const [printed] = await once(viewer.child.stdout ?? process.stdin, 'data');
  const address = new URL(String(printed).trim());
  const entry = await fetch(address, { redirect: 'manual' });
  const cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL('/', address), { headers: { cookie } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="page">')]);
  const runs = await fetch(new URL('/api/runs', address), { headers: { cookie } });
  expect([runs.status, await runs.text()]).toEqual([200, expect.stringContaining('"own"')]);
  viewer.child.kill('SIGINT');
  await viewer.result;
});

/** As a user of the library writes it for this Node, which has no `await using`. */
const LIBRARY = `
import { compareRuns, formatComparison, formatRun, openRun, resumeRun, runFiles, startViewer } from 'PACKAGES/salvo/dist/index.js';
import { formatExperiment, runExperiment } from 'PACKAGES/salvo-arena/dist/index.js';
const run = await runFiles({ files: ['s.yaml'], trials: 2, seed: 1 });
await run[Symbol.asyncDispose]();
const resumed = await resumeRun({ run: run.run.run_id });
await resumed[Symbol.asyncDispose]();
await (await runFiles({ files: ['s.yaml'], trials: 2, seed: 2 }))[Symbol.asyncDispose]();
const opened = await openRun({ run: 'latest' });
for (const format of ['terminal', 'markdown', 'junit', 'csv', 'json', 'html']) {
  console.log(format, (await formatRun(opened, { format })).length > 100);
}
await opened[Symbol.asyncDispose]();
console.log('comparison', (await formatComparison(await compareRuns(), { format: 'terminal' })).length > 100);
const experiment = await runExperiment({ file: 'experiment.yaml' });
console.log('experiment', (await formatExperiment(experiment, { format: 'html' })).length > 100);
await experiment[Symbol.asyncDispose]();
const viewer = await startViewer({ target: 'latest' });
console.log('viewer', (await fetch(viewer.origin)).status);
await viewer[Symbol.asyncDispose]();
`;

test('the library runs, resumes, formats and serves', async () => {
  await using project = await projectFixture({
    ...FILES,
    'experiment.yaml': 'name: e\ntasks: [website-origin]\nred: [mutation]\nblue: [rules]\nseed: 1\n',
    'library.mjs': LIBRARY.replaceAll('PACKAGES', pathToFileURL(dirname(await builtPackage())).href),
  });
  const { SALVO_TEST_NODE: node = '' } = process.env;
  const { stdout } = await promisify(execFile)(node, ['library.mjs'], { cwd: project.root });
  const formats = ['terminal', 'markdown', 'junit', 'csv', 'json', 'html', 'comparison', 'experiment'];
  expect(stdout.trim().split('\n')).toEqual([...formats.map((format) => `${format} true`), 'viewer 401']);
});

test('findings are scored and a game is played', async () => {
  await using project = await projectFixture();
  await cp(new URL('judge-agent/', EXAMPLES), project.path('judge-agent'), { recursive: true });
  const cwd = project.path('judge-agent');
  const { stdout } = await salvo(['score', '--red', 'manifest.json', '--blue', 'checkov.json'], { cwd });
  expect(stdout).toContain('80%');
  await salvo(['game', '--seed', '7'], { cwd: project.root });
  await project.write('experiment.yaml', 'name: e\ntasks: [website-origin]\nred: [mutation]\nblue: [rules]\nseed: 1\n');
  await salvo(['experiment', 'experiment.yaml'], { cwd: project.root });
});

test('workers perform the trials of a run', async () => {
  await using database = await createDatabase();
  await using project = await projectFixture(FILES);
  await using elsewhere = await projectFixture();
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: elsewhere.path('cache') };
  const worker = startCli(['worker', '-c', '2'], { cwd: elsewhere.root, env });
  await worker.untilStderrHas('takes up to');
  const run = await salvo(['run', 's.yaml', '-n', '10', '--seed', '1', '--json'], { cwd: project.root, env });
  expect(documentOf(run).scenarios[0]?.trials_total).toBe(10);
  worker.child.kill('SIGINT');
  expect((await worker.result).code).toBe(0);
});

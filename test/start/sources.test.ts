import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtMain, builtPackage, builtSources } from '../built-package.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { AS_SOURCES } from '../source-process.ts';

const PRELOADED = new URL('./loaded-files.mjs', import.meta.url).href;
const AGENT_PROCESS = new URL('../../packages/salvo/src/adapters/agent/agent-process.ts', import.meta.url);
const JUDGE_AGENT = fileURLToPath(new URL('../../examples/judge-agent', import.meta.url));
const FILES = {
  'salvo.yaml': 'default_adapter: scripted\n',
  'a.yaml': `
prompt: Where is my order?
tools:
  - name: lookup
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    mock_response: { status: shipped }
assertions:
  - { type: tool_called, tool: lookup, arguments: { id: A-1 } }
  - { path: response.content, contains: shipped }
  - { type: output_matches, pattern: "order .* shipped" }
script:
  - tool_calls: [{ name: lookup, arguments: { id: A-1 } }]
  - content: Your order has been shipped.
`,
};

async function commandOf(project: ProjectFixture, words: string[]) {
  const file = project.path('loaded.json');
  const args = ['--import', PRELOADED, await builtMain(), ...words];
  const loaded = async () => countOf(JSON.parse(await readFile(file, 'utf8')));
  return { args, env: { ...process.env, SALVO_TEST_LOADED: file }, loaded };
}

/** What `loaded-files.mjs` writes. */
interface Loaded {
  loaded: string[];
  schemas: number;
  builtins: string[];
}

/** A file of the package counts all sources that it was made from. */
async function countOf({ loaded: urls, ...counted }: Loaded) {
  const sources = await builtSources();
  const [own, others] = [urls.filter((url) => url.includes('/dist/')), urls.filter((url) => !url.includes('/dist/'))];
  const paths = own.map((url) => url.slice(url.lastIndexOf('/node_modules/') + '/node_modules/'.length));
  const packages = [...new Set(paths.map((path) => path.slice(0, path.indexOf('/'))))];
  const files = paths.map((path) => sources[path] ?? []);
  const count = files.flat().filter((source) => !source.startsWith('..') && source.endsWith('.js')).length;
  const foreign = others.filter((url) => url.startsWith('file:') && url !== PRELOADED);
  return { ...counted, sources: count, files: own.length, packages, others: foreign };
}

async function loadedBy(project: ProjectFixture, words: string[], cwd = project.root) {
  const { args, env, loaded } = await commandOf(project, words);
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, args, { cwd, env }, (_, stdout) => resolve(stdout));
  return { stdout: await promise, ...(await loaded()) };
}

test('--version loads little, and no package', async () => {
  await using project = await projectFixture(FILES);
  const { stdout, sources, others } = await loadedBy(project, ['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(others).toEqual([]);
  expect(sources).toBeGreaterThan(10);
  expect(sources).toBeLessThan(30);
});

test.each([['--help'], ['help'], ['-h']])(
  '%s reads lists, and executes no definition',
  { timeout: 120_000 },
  async (word) => {
    await using project = await projectFixture(FILES);
    // A plugin may add commands, so that all definitions are executed.
    await using defined = await projectFixture({ 'salvo.yaml': 'plugins: []\n' });
    const { stdout, sources, packages } = await loadedBy(project, [word]);
    expect(stdout).toContain('salvo-arena');
    expect(stdout).toBe((await loadedBy(defined, [word])).stdout);
    expect(packages).toEqual(['salvo']);
    expect(sources).toBeLessThan(35);
  },
);

test('the packages share one copy of Commander', async () => {
  const files = Object.entries(await builtSources()).filter(([, sources]) =>
    sources.some((source) => source.endsWith('/commander/lib/command.js')),
  );
  expect(files.map(([file]) => file)).toEqual([expect.stringMatching(/^salvo\//)]);
});

test.each([
  ['--help', '--json'],
  ['run', '--help'],
  ['help', 'game'],
])('%s %s loads no command', async (...words) => {
  await using project = await projectFixture(FILES);
  const { stdout, sources, others } = await loadedBy(project, words);
  expect(stdout).toContain('Usage: salvo');
  expect(others).toEqual([]);
  expect(sources).toBeLessThan(75);
});

test('a run loads only what its scenarios need', async () => {
  await using project = await projectFixture(FILES);
  const { stdout, sources, files, schemas, builtins } = await loadedBy(project, ['run', 'a.yaml', '-n', '1']);
  expect(stdout).toContain('1 of 1 trial passed');
  expect(sources).toBeLessThan(300);
  expect(files).toBeLessThan(40);
  // Those of the assertion types that it does not use are not built.
  expect(schemas).toBeGreaterThan(500);
  expect(schemas).toBeLessThan(1650);
  expect(builtins).toContain('sqlite');
  expect(builtins).not.toContain('zlib');
});

test('a run compiles few functions again that it called before', async () => {
  await using project = await projectFixture(FILES);
  const log = project.path('v8.log');
  const flags = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${log}`];
  const env = { ...process.env, NODE_COMPILE_CACHE: project.path('cache') };
  const args = [...flags, await builtMain(), 'run', 'a.yaml', '-n', '1'];
  for (let start = 0; start < 2; start += 1)
    await promisify(execFile)(process.execPath, args, { cwd: project.root, env });
  const lines = (await readFile(log, 'utf8')).split('\n').map((line) => line.split(','));
  const own = new Set(
    lines.flatMap(([kind, id, url]) => (kind === 'script-details' && url?.includes('/dist/') ? [id] : [])),
  );
  const compiled = lines.filter(([kind, what, id]) => kind === 'function' && what === 'parse-function' && own.has(id));
  // Methods of classes, for the most part. There were 1,900 before the build put called functions into parentheses.
  expect(compiled.length).toBeGreaterThan(50);
  expect(compiled.length).toBeLessThan(500);
});

test('what a run loads later brings nothing along that only other starts need', async () => {
  await using project = await projectFixture({
    'agent.mjs': "export default async () => ({ content: 'shipped' });\n",
    'a.yaml': 'prompt: Where is my order?\nassertions: [{ path: response.content, contains: shipped }]\n',
  });
  const { stdout, sources } = await loadedBy(project, ['run', 'a.yaml', '-n', '1', '--adapter', './agent.mjs']);
  expect(stdout).toContain('1 of 1 trial passed');
  expect(sources).toBeLessThan(388);
});

/** What the process of an agent has loaded when it can be asked. */
async function loadedByAgent(main: string | URL, options: string[] = []): Promise<Loaded> {
  await using project = await projectFixture({ 'agent.mjs': "export default () => 'shipped';\n" });
  const file = project.path('loaded.json');
  const child = fork(main, [project.path('agent.mjs'), project.root, 'The agent'], {
    execArgv: [...options, '--import', PRELOADED],
    env: { ...process.env, SALVO_TEST_LOADED: file },
  });
  const [message] = await once(child, 'message');
  expect(message).toMatchObject({ type: 'ready' });
  child.disconnect();
  await once(child, 'exit');
  const loaded: Loaded = JSON.parse(await readFile(file, 'utf8'));
  expect(loaded.loaded.at(-1)).toContain('agent.mjs');
  return loaded;
}

test('the sources of the process of an agent load neither schemas nor the forms of messages', async () => {
  const { loaded, schemas } = await loadedByAgent(AGENT_PROCESS, AS_SOURCES);
  expect(schemas).toBe(0);
  expect(loaded.some((url) => url.includes('/zod/'))).toBe(false);
  expect(loaded.filter((url) => url.includes('/src/')).length).toBeLessThan(50);
});

test('the built process of an agent loads no more than its sources do', async () => {
  const { sources, files, schemas } = await countOf(
    await loadedByAgent(join(await builtPackage(), 'dist/agent-process.js')),
  );
  expect(schemas).toBe(0);
  expect(sources).toBeGreaterThan(20);
  expect(sources).toBeLessThan(60);
  expect(files).toBeLessThan(25);
});

test('a score without models and code loads neither', async () => {
  await using project = await projectFixture(FILES);
  const words = ['score', '--red', 'manifest.json', '--blue', 'checkov.json'];
  const { stdout, sources } = await loadedBy(project, words, JUDGE_AGENT);
  expect(stdout).toContain('checkov');
  expect(sources).toBeLessThan(220);
});

test('the page of a run loads no arena', async () => {
  await using project = await projectFixture(FILES);
  const { stdout } = await loadedBy(project, ['run', 'a.yaml', '-n', '1', '--json']);
  const { run_id } = JSON.parse(stdout);
  const { args, env, loaded } = await commandOf(project, ['view', '--no-open']);
  const viewer = spawn(process.execPath, args, { cwd: project.root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await once(viewer.stdout, 'data');
  const address = new URL(/http:\S+/.exec(String(first))?.[0] ?? '');
  const headers = { authorization: `Bearer ${address.searchParams.get('token')}` };
  for (const path of ['/', '/api/project', `/api/runs/${run_id}`, `/api/runs/${run_id}/outcomes`]) {
    expect((await fetch(new URL(path, address), { headers })).status).toBe(200);
  }
  viewer.kill('SIGTERM');
  await once(viewer, 'exit');
  expect((await loaded()).sources).toBeLessThan(290);
});

import { expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { GATE, runCli, startCli, storeOf } from '../cli/cli-fixture.ts';
import { startLoopback } from '../loopback/loopback-server.ts';
import { createDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { samplePng } from '../sample-images.ts';

const png = samplePng().toString('base64');
const IMAGE = { media_type: 'image/png', name: 'receipt.png', bytes: samplePng().length, data: png };

/** The agent says what it received: the size of the file. */
const AGENT = `export default ({ messages }) => 'got ' + Buffer.from(messages[0].files[0].data, 'base64').length;\n`;
const PROGRAM = `
import { readFileSync } from 'node:fs';
const { messages } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ content: 'got ' + Buffer.from(messages[0].files[0].data, 'base64').length }));
`;

const scenarioFor = (adapter: string) => `
adapter: ${JSON.stringify(adapter)}
prompt: What did it cost?
files: [receipt.png]
assertions: [{ type: output_contains, value: "got ${samplePng().length}" }]
`;

async function projectWith(files: Record<string, string>): Promise<ProjectFixture> {
  const fixture = await projectFixture(files);
  await fixture.write('receipt.png', samplePng());
  return fixture;
}

/** The files of the user's message in all traces of the newest run. */
async function storedFiles(project: ProjectFixture, env: Record<string, string> = {}): Promise<unknown[]> {
  const store = await openProjectStore(await project.project(), { env });
  const [run] = await store.listRuns({ limit: 1 });
  const files: unknown[] = [];
  for await (const { trace_id } of store.trials(run?.run_id ?? '')) {
    const [message] = (trace_id === null ? null : await store.getTrace(trace_id))?.messages ?? [];
    files.push(message?.role === 'user' ? message.files : message);
  }
  await store.close();
  return files;
}

test('a worker receives the files with the project, and PostgreSQL keeps each once', async () => {
  await using database = await createDatabase();
  await using project = await projectWith({
    'salvo.yaml': '',
    'a.yaml': scenarioFor('./agent.mjs'),
    'agent.mjs': AGENT,
  });
  await using elsewhere = await projectFixture();
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: elsewhere.path('cache') };
  const worker = startCli(['worker', '-c', '2', '--allow-code'], { cwd: elsewhere.root, env });
  await worker.untilStderrHas('takes up to');
  const run = startCli(['run', 'a.yaml', '-n', '3'], { cwd: project.root, env });
  const { code, stdout, stderr } = await run.result;
  worker.child.kill('SIGINT');
  await worker.result;
  expect(code, stdout + stderr).toBe(0);
  expect(await storedFiles(project, env)).toMatchObject([[IMAGE], [IMAGE], [IMAGE]]);
  expect(await database.query('SELECT 1 FROM salvo.blobs WHERE text = $1', [png])).toHaveLength(1);
});

test('what a store has of files is imported into PostgreSQL, and exported from it', async () => {
  await using database = await createDatabase();
  await using project = await projectWith({
    'salvo.yaml': '',
    'a.yaml': scenarioFor('./agent.mjs'),
    'agent.mjs': AGENT,
  });
  const env = { SALVO_DATABASE_URL: database.url };
  expect((await runCli(['run', 'a.yaml', '-n', '2'], { cwd: project.root })).code).toBe(0);
  const imported = await runCli(['db', 'import', '.salvo/salvo.db'], { cwd: project.root, env });
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('1 run')]);
  expect(await storedFiles(project, env)).toEqual(await storedFiles(project));
  expect(await storedFiles(project, env)).toMatchObject([[IMAGE], [IMAGE]]);
  const { stdout } = await runCli(['export'], { cwd: project.root, env });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ trace }) => trace.messages[0].files)).toMatchObject([[IMAGE], [IMAGE]]);
});

test('a run that was killed is resumed with the same files, and not with others', async () => {
  await using project = await projectWith({
    'salvo.yaml': 'adapters: { gated: { type: exec, command: [node, agent.mjs] } }\n',
    'a.yaml': scenarioFor('gated'),
    'agent.mjs': GATE + PROGRAM,
    wait: '',
  });
  const killed = startCli(['run', 'a.yaml', '-n', '6', '-c', '1'], { cwd: project.root });
  await expect.poll(async () => (await storedFiles(project).catch(() => [])).length).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await killed.result;
  await project.remove('wait');
  await project.write('receipt.png', samplePng(25));
  const refused = await runCli(['run', '--resume', 'latest'], { cwd: project.root });
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('has changed')]);
  await project.write('receipt.png', samplePng());
  expect((await runCli(['run', '--resume', 'latest'], { cwd: project.root })).code).toBe(0);
  await using store = await storeOf(project);
  const [run] = await store.listRuns({ limit: 1 });
  expect(run?.run_id).toBeDefined();
  expect(await storedFiles(project)).toMatchObject(Array.from({ length: 6 }, () => [IMAGE]));
});

test('a program and a server have the files in their messages', async () => {
  const reply = { json: { content: `got ${samplePng().length}` } };
  await using server = await startLoopback([
    { reply, expect: ({ body }) => expect(body).toMatchObject({ messages: [{ role: 'user', files: [IMAGE] }] }) },
    { reply, expect: ({ body }) => expect(body).toMatchObject({ said: [{ role: 'user', files: [IMAGE] }] }) },
  ]);
  await using project = await projectWith({
    'salvo.yaml': `adapters:\n  own: { type: http, url: "${server.url}", request: { said: "{{messages}}" } }\n`,
    'program.mjs': PROGRAM,
    'a.yaml': scenarioFor('exec:node program.mjs'),
    'b.yaml': scenarioFor(server.url),
    'c.yaml': scenarioFor('own'),
  });
  for (const file of ['a.yaml', 'b.yaml', 'c.yaml']) {
    const { code, stdout, stderr } = await runCli(['run', file, '-n', '1'], { cwd: project.root });
    expect(code, stdout + stderr).toBe(0);
  }
});

test.each([
  ['{ type: llama, model_path: tiny.gguf }', 'takes only text'],
  ['{ type: ag-ui, url: "http://127.0.0.1:9" }', 'are sent only text'],
  ['{ type: http, url: "http://127.0.0.1:9", request: { question: "{{message}}" } }', 'has no {{messages}}'],
])('an agent that cannot receive files refuses them before the first trial: %s', async (adapter, why) => {
  await using project = await projectWith({
    'salvo.yaml': `adapters:\n  own: ${adapter}\n`,
    'tiny.gguf': 'GGUF',
    'a.yaml': scenarioFor('own'),
  });
  const { code, stderr } = await runCli(['run', 'a.yaml', '-n', '1'], { cwd: project.root });
  expect([code, stderr]).toEqual([4, expect.stringContaining(why)]);
  expect(stderr).toContain('receipt.png (image/png)');
});

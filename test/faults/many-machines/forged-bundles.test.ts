import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentOf } from '../../cli/cli-fixture.ts';
import { sampleScenario } from '../../cli/sample-scenario.ts';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { projectFixture } from '../../project-fixture.ts';
import { expectNothingLeft, JOBS, type Machines, startMachines } from './machines.ts';

const FILE = z.object({ path: z.string(), hash: z.string(), size: z.number(), executable: z.boolean() });
const BUNDLE = z.looseObject({ files: z.array(FILE) });
const ORDER = z.looseObject({ bundle: z.string() });
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** Does what a person can do who has the password of the database: replaces salvo.yaml in the files of the run. */
async function forgeSettings({ database }: Machines, change: (settings: Record<string, unknown>) => unknown) {
  const contentOf = async (hash: string): Promise<string> => {
    const [row] = await database.query(
      "SELECT convert_from(content, 'UTF8') AS text FROM salvo.bundle_files WHERE hash = $1",
      [hash],
    );
    return String(row?.text);
  };
  const save = async (content: string): Promise<string> => {
    const values = [sha256(content), Buffer.from(content)];
    await database.query('INSERT INTO salvo.bundle_files (hash, content) VALUES ($1, $2)', values);
    return sha256(content);
  };
  const [row] = await database.query('SELECT document FROM salvo.work_orders');
  const order = ORDER.parse(JSON.parse(String(row?.document)));
  const bundle = BUNDLE.parse(JSON.parse(await contentOf(order.bundle)));
  const own = bundle.files.find(({ path }) => path === 'salvo.yaml');
  const settings = JSON.stringify(change(JSON.parse(await contentOf(own?.hash ?? ''))));
  const forged = { path: 'salvo.yaml', hash: await save(settings), size: settings.length, executable: false };
  const files = bundle.files.map((file) => (file === own ? forged : file));
  const document = JSON.stringify({ ...order, bundle: await save(JSON.stringify({ ...bundle, files })) });
  await database.query('UPDATE salvo.work_orders SET document = $1', [document]);
}

const files = (url: string, headers: Record<string, string> = {}) => ({
  'salvo.yaml': JSON.stringify({ adapters: { own: { type: 'http', url, headers } } }),
  's.yaml': sampleScenario({ adapter: 'own', script: undefined }),
});
const RUN = ['run', 's.yaml', '-n', '1', '--json'];

/** An agent whose server keeps the headers that it gets. */
async function startAgent() {
  const teams: (string | undefined)[] = [];
  const server = await startAnsweringServer((request) => {
    teams.push(request.headers['x-team']?.toString());
    return { json: { content: 'Done.' } };
  });
  return Object.assign(server, { teams });
}

test.concurrent('a forged env_file is refused, no file of the worker is read, and the client is told', async () => {
  await using agent = await startAgent();
  await using owner = await projectFixture({ credentials: 'aws_secret_access_key=stolen\n' });
  await using machines = await startMachines({ files: files(agent.url) });
  const client = machines.client(RUN);
  await machines.untilRow(`${JOBS} HAVING count(*) >= 1`);
  await forgeSettings(machines, (settings) => ({
    ...settings,
    env_file: owner.path('credentials'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how salvo.yaml names a variable
    adapters: { own: { type: 'http', url: agent.url, headers: { 'X-Team': '${aws_secret_access_key}' } } },
  }));
  const worker = await machines.worker(['--env']);
  await worker.untilStderrHas('"env_file", which is not for workers');
  await client.untilStderrHas('"env_file", which is not for workers');
  expect(agent.teams).toEqual([]);
});

test.concurrent('a forged record names a file of the worker as a scenario: it is not read', async () => {
  await using agent = await startAgent();
  await using owner = await projectFixture({ 'private.yaml': 'password: hunter2hunter2\n' });
  await using machines = await startMachines({ files: files(agent.url) });
  const client = machines.client(RUN);
  await machines.untilRow(`${JOBS} HAVING count(*) >= 1`);
  await machines.database.query('UPDATE salvo.run_scenarios SET file = $1', [owner.path('private.yaml')]);
  const worker = await machines.worker();
  await worker.untilStderrHas('is not among the files that were sent');
  await client.untilStderrHas('is not among the files that were sent');
  expect([worker.stderr(), client.stderr()].join()).not.toContain('hunter2');
  expect(agent.teams).toEqual([]);
});

test.concurrent('a variable is sent only where the owner of a worker allowed it; other workers do the trials', async () => {
  await using agent = await startAgent();
  const { host } = new URL(agent.url);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how salvo.yaml names a variable
  await using machines = await startMachines({ files: files(agent.url, { 'X-Team': '${TEAM}' }) });
  const TEAM = 'red';
  const client = machines.client(RUN, { TEAM });
  const careful = await machines.worker([], { TEAM });
  await careful.untilStderrHas(`--env TEAM=${host}`);
  await client.untilStderrHas(`--env TEAM=${host}`);
  expect(agent.teams).toEqual([]);
  await machines.worker(['--env', `TEAM=${host}`], { TEAM });
  const result = await client.result;
  expect(documentOf(result).verdict).toBe('PASS');
  expect(agent.teams).toEqual([TEAM]);
  await expectNothingLeft(machines);
});

test.concurrent.each([
  ['a package of the worker', { type: 'ai-sdk', package: 'pg' }, 'the package pg'],
  ['a model file of the worker', { type: 'llama', model_path: '/proc/self/environ' }, 'the file /proc/self/environ'],
  [
    'the key of a provider for another server',
    { type: 'openai', base_url: 'https://agents.example/v1' },
    '--env OPENAI_API_KEY=agents.example',
  ],
])('a forged adapter that uses %s is refused, and the client is told', async (_, forged, what) => {
  await using agent = await startAgent();
  await using machines = await startMachines({ files: files(agent.url) });
  const client = machines.client(RUN);
  await machines.untilRow(`${JOBS} HAVING count(*) >= 1`);
  await forgeSettings(machines, (settings) => ({ ...settings, adapters: { own: forged } }));
  // No key is set there.
  const worker = await machines.worker([], { OPENAI_API_KEY: '' });
  await worker.untilStderrHas(what);
  await client.untilStderrHas(what);
  expect(await machines.results()).toBe(0);
});

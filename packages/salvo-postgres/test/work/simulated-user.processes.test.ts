import { expect, test } from 'vitest';
import { startCli } from '../../../../test/cli/cli-fixture.ts';
import { startAnsweringServer } from '../../../../test/loopback/answering-server.ts';
import { completion } from '../../../../test/loopback/openai-wire.ts';
import { createDatabase } from '../../../../test/postgres.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';

const FILES = {
  'salvo.yaml': `
prices: { user-model: { input_per_million: 100, output_per_million: 0 } }
user: { adapter: openai, model: user-model }
`,
  's.yaml': `
name: cancel
trials: 2
adapter: scripted
model: none
script: [{ content: "Which order?" }, { content: Done. }]
data: [{ name: keeps, order: W-2231 }, { name: invents, order: none }]
user: { goal: "Cancel your order ({{name}}).", facts: { order: "{{order}}" } }
assertions:
  - { type: output_contains, value: Done. }
`,
};
const SAID = ['I want to cancel my order.', 'It is W-2231.', '###STOP###'];

test('a worker process asks the models of users, and the run has their cost and the roles they broke', async () => {
  await using server = await startAnsweringServer(({ body }) => {
    const { messages }: { messages: { role: string }[] } = Object(body);
    return completion({ content: SAID[messages.filter(({ role }) => role === 'assistant').length] ?? '###STOP###' });
  });
  await using database = await createDatabase();
  await using project = await projectFixture(FILES);
  await using empty = await projectFixture();
  const shared = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: empty.path('cache') };
  const paid = { OPENAI_API_KEY: 'sk-test-0123456789abcdefghijkl', OPENAI_BASE_URL: `${server.url}/v1` };
  const client = (...args: string[]) => startCli(args, { cwd: project.root, env: { ...shared, ...paid } }).result;

  const left = await client('run', 's.yaml', '--detach');
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('The workers go on with run')]);
  expect(server.requests()).toBe(0);
  const worker = startCli(['worker', '-c', '2'], { cwd: empty.root, env: { ...shared, ...paid } });
  await using _worker = { [Symbol.asyncDispose]: async () => void worker.child.kill('SIGKILL') };
  const attached = await client('attach', left.stdout.trim(), '--json');
  expect(attached.code).toBe(3);
  const [scenario] = JSON.parse(attached.stdout).scenarios;
  expect(scenario).toMatchObject({
    simulated_users: { trials: 4, broke_role: 2, kinds: { unknown_fact: 2 } },
    user_cost_usd: expect.any(Number),
  });
  expect(scenario.user_cost_usd).toBeGreaterThan(0);
  const { stdout } = await client('replay', 'cancel/keeps', '1', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    conversation_end: { by: 'user', messages: 2 },
    simulated_user: { model: 'user-model', messages: 2 },
  });
  // Lists and live pages read outcomes, which the database keeps beside the results.
  const outcomes = await database.query(`SELECT outcome FROM salvo.trials WHERE outcome LIKE '%user_cost_usd%'`);
  expect(outcomes).toHaveLength(4);
  worker.child.kill('SIGTERM');
  expect((await worker.result).code).toBe(0);
});

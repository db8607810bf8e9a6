import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { salvo } from './cassette-fixture.ts';
import { documentOf } from './cli-fixture.ts';

const FILES = {
  'salvo.yaml': `
prices:
  cheap: { input_per_million: 100, output_per_million: 0 }
  dear: { input_per_million: 1000, output_per_million: 0 }
  none: { input_per_million: 1, output_per_million: 1 }
`,
  's.yaml': `
name: cancel
trials: 1
adapter: scripted
model: none
script: [{ content: "Which order?", usage: &free { input_tokens: 0, output_tokens: 0 } }, { content: Done., usage: *free }]
data: [{ name: a, by: cheap, wanted: Done. }, { name: b, by: dear, wanted: Refunded. }]
user: { goal: Cancel your order., facts: { order: W-2231 }, adapter: openai, model: "{{by}}" }
assertions:
  - { type: output_contains, value: "{{wanted}}" }
`,
};
const SAID = ['I want to cancel my order.', 'It is W-2231.', '###STOP###'];

async function startUsers() {
  const models: string[] = [];
  const server = await startAnsweringServer(({ body }) => {
    const { model, messages }: { model: string; messages: { role: string }[] } = Object(body);
    models.push(model);
    return completion({ content: SAID[messages.filter(({ role }) => role === 'assistant').length] ?? '###STOP###' });
  });
  return { ...server, models };
}

test('each case can have a user of its own model, and what it costs is known to plans, estimates and CSV files', async () => {
  await using server = await startUsers();
  await using folder = await projectFixture(FILES);
  const before = await salvo(folder, server, ['run', 's.yaml', '--estimate', '--json']);
  expect([before.code, JSON.parse(before.stdout).user_cost_usd]).toEqual([0, null]);
  expect(server.models).toEqual([]);

  const run = await salvo(folder, server, ['run', 's.yaml', '--json', '-c', '1', '--csv', 'out.csv']);
  expect(run.code).toBe(1);
  expect(new Set(server.models)).toEqual(new Set(['cheap', 'dear']));
  const [scenario] = documentOf(run).scenarios;
  const cost = scenario?.user_cost_usd ?? 0;
  expect(scenario?.trials.map(({ user_cost_usd }) => user_cost_usd)).toEqual([
    ...[expect.closeTo(cost / 11, 9), expect.closeTo((cost * 10) / 11, 9)],
  ]);
  const [header = '', ...rows] = (await readFile(folder.path('out.csv'), 'utf8')).trim().split('\r\n');
  const column = header.split(',').indexOf('user_cost_usd');
  expect(rows.map((row) => Number(row.split(',')[column]))).toEqual([
    ...(scenario?.trials ?? []).map(({ user_cost_usd }) => user_cost_usd),
  ]);

  const after = JSON.parse((await salvo(folder, server, ['run', 's.yaml', '--estimate', '--json'])).stdout);
  expect(after.user_cost_usd).toBeCloseTo(cost, 9);
  expect(after.scenarios[0].user).toMatchObject({ adapter: 'openai', model: 'cheap, dear' });
  const plan = JSON.parse((await salvo(folder, server, ['plan', 's.yaml', '--json'])).stdout);
  expect(plan.scenarios[0].known).toMatchObject({ agent_usd: 0, users_usd: expect.closeTo(cost / 2, 9) });
  const { trials, cost_usd } = plan.scenarios[0].answers[0];
  expect(cost_usd).toBeCloseTo((trials * cost) / 2, 6);
});

test('what did not pass with another user is run again with the user of the scenario', async () => {
  await using server = await startUsers();
  await using folder = await projectFixture(FILES);
  const other = documentOf(await salvo(folder, server, ['run', 's.yaml', '--json', '--user', 'cheap'])).scenarios[0];
  expect(other?.trials.map(({ status }) => status)).toEqual(['passed', 'failed']);
  expect(new Set(server.models)).toEqual(new Set(['cheap']));
  server.models.length = 0;
  const again = documentOf(await salvo(folder, server, ['run', 's.yaml', '--failed', '--json'])).scenarios[0];
  expect(again?.trials.map((trial) => trial.case)).toEqual(['b']);
  expect(new Set(server.models)).toEqual(new Set(['dear']));
});

import { expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const PRICES = {
  cheap: { input_per_million: 1, output_per_million: 1 },
  dear: { input_per_million: 100, output_per_million: 100 },
};
const env = { OPENAI_API_KEY: 'unused-key' };

/** A provider that answers every call, of a thousand tokens, as the given model. */
async function providerThatUses(model: string, changes: Record<string, unknown> = {}) {
  const asked: unknown[] = [];
  const server = await startAnsweringServer(async ({ body }) => {
    asked.push(body);
    const usage = { prompt_tokens: 1000, completion_tokens: 0 };
    return completion({ message: { content: 'Done.' }, usage, model });
  });
  const project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { provider: { type: 'openai', base_url: `${server.url}/v1` } },
      prices: PRICES,
    }),
    's.yaml': sampleScenario({ adapter: 'provider', model: 'cheap', script: undefined, ...changes }),
  });
  return {
    asked,
    run: (...args: string[]) => runCli(['run', 's.yaml', ...args], { cwd: project.root, env }),
    validate: () => runCli(['validate', 's.yaml'], { cwd: project.root, env }),
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('extras that would change the model are refused, with their line, before anything is paid', async () => {
  await using provider = await providerThatUses('dear', { extras: { model: 'dear' } });
  for (const { code, stderr, stdout } of [await provider.run('-n', '50'), await provider.validate()]) {
    expect(code).toBe(4);
    expect(stderr + stdout).toMatch(/s\.yaml:\d+:\d+/);
    expect(stderr + stdout).toContain('Salvo sends "model" itself');
  }
  expect(provider.asked).toEqual([]);
});

test('the price follows the model that answered, and reports name it once', async () => {
  await using provider = await providerThatUses('dear');
  const run = await provider.run('-n', '3', '--json');
  const [scenario] = documentOf(run).scenarios;
  expect(scenario?.cost_total_usd).toBeCloseTo(0.3, 9);
  expect(scenario).toMatchObject({ model: 'cheap', answered_by: ['dear'] });
  const text = await provider.run('-n', '3', '--markdown', '-');
  expect(text.stdout.match(/Another model answered: dear for cheap/g)).toHaveLength(1);
});

test('a budget is kept at the price of the model that answered', async () => {
  await using provider = await providerThatUses('dear');
  const run = await provider.run('-n', '100', '--concurrency', '8', '--budget-usd', '0.35', '--json');
  expect(documentOf(run).scenarios[0]).toMatchObject({ stopped: 'budget' });
  expect(provider.asked.length * 0.1).toBeLessThanOrEqual(0.35 + 0.1);
});

test('what the project says about the model that was asked for comes before the list of known prices', async () => {
  await using provider = await providerThatUses('gpt-5-pro');
  const [scenario] = documentOf(await provider.run('-n', '1', '--json')).scenarios;
  expect(scenario?.cost_total_usd).toBeCloseTo(0.001, 9);
  await using listed = await providerThatUses('gpt-5-pro', { model: 'gpt-4o-mini' });
  const [followed] = documentOf(await listed.run('-n', '1', '--json')).scenarios;
  expect(followed?.cost_total_usd).toBeGreaterThan(0.01);
});

test('a dated version is the model that was asked for, and a name without a price costs what was asked for', async () => {
  await using dated = await providerThatUses('cheap-2026-01-01');
  const [same] = documentOf(await dated.run('-n', '1', '--json')).scenarios;
  expect(same?.cost_total_usd).toBeCloseTo(0.001, 9);
  expect(same?.answered_by).toEqual([]);
  await using local = await providerThatUses('/models/x.gguf');
  const [other] = documentOf(await local.run('-n', '1', '--json')).scenarios;
  expect(other?.cost_total_usd).toBeCloseTo(0.001, 9);
  expect(other).toMatchObject({ answered_by: ['/models/x.gguf'] });
});

import { expect, test } from 'vitest';
import { sampleScenario } from '../../../../../test/cli/sample-scenario.ts';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { createLimiters } from '../../models/call/call-services.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { type Preparation, prepareScenario } from './prepare-scenario.ts';

type Overrides = Partial<Preparation>;

async function prepare(files: Record<string, string>, overrides: Overrides = {}) {
  await using fixture = await projectFixture(files);
  const project = await fixture.project();
  const names = Object.keys(files).filter((name) => name !== 'salvo.yaml');
  const loaded = await Promise.all(names.map((name) => loadScenario({ file: fixture.path(name), project })));
  const preparation = {
    project,
    env: { OPENAI_API_KEY: 'unused-key' },
    limiterOf: createLimiters({ root: project.root, adapters: project.config.adapters, env: {} }),
    ...overrides,
  };
  return await Promise.all(loaded.map((each) => prepareScenario(each, preparation)));
}

const adapters = `
adapters:
  slow: { type: openai, base_url: "http://127.0.0.1:1/v1", max_concurrency: 1 }
  other: { type: openai, base_url: "http://127.0.0.1:1/v1" }
`;
const onOpenAi = (changes: Record<string, unknown> = {}) =>
  sampleScenario({ adapter: undefined, script: undefined, ...changes });

test('the command line wins over the scenario, the scenario over salvo.yaml', async () => {
  const files = {
    'salvo.yaml': `default_adapter: slow\ndefault_model: house-model\n${adapters}`,
    'a.yaml': onOpenAi({ name: 'a' }),
    'b.yaml': onOpenAi({ name: 'b', adapter: 'other', model: 'own-model' }),
  };
  const chosen = (overrides?: Overrides) =>
    prepare(files, overrides).then((all) =>
      all.map(({ adapterName, model, isDefaultModel }) => [adapterName, model, isDefaultModel]),
    );
  expect(await chosen()).toEqual([
    ['slow', 'house-model', true],
    ['other', 'own-model', false],
  ]);
  expect(await chosen({ adapter: 'openai', model: 'gpt-4o' })).toEqual([
    ['openai', 'gpt-4o', false],
    ['openai', 'gpt-4o', false],
  ]);
});

test('scenarios on the same adapter share its limits, others do not', async () => {
  const [a, b, c] = await prepare({
    'salvo.yaml': adapters,
    'a.yaml': onOpenAi({ name: 'a', adapter: 'slow', model: 'm' }),
    'b.yaml': onOpenAi({ name: 'b', adapter: 'slow', model: 'm' }),
    'c.yaml': onOpenAi({ name: 'c', adapter: 'other', model: 'm' }),
  });
  expect(a?.limiter).toBe(b?.limiter);
  expect(a?.limiter).not.toBe(c?.limiter);
});

test('a provider needs a model; a script and a whole agent do not', async () => {
  await expect(prepare({ 'a.yaml': onOpenAi({ adapter: 'openai' }) })).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message: expect.stringContaining('a.yaml: no model for the adapter "openai"'),
  });
  const [script, agent] = await prepare({
    'a.yaml': sampleScenario({ name: 'a' }),
    'b.yaml': onOpenAi({ name: 'b', adapter: 'https://example.com/agent' }),
  });
  expect([script?.model, agent?.model]).toEqual(['scripted', 'https://example.com/agent']);
});

test('an adapter that is not ready is refused before the first trial', async () => {
  const files = { 'a.yaml': onOpenAi({ adapter: 'openai', model: 'gpt-4o' }) };
  await expect(prepare(files, { env: {} })).rejects.toMatchObject({
    code: 'ADAPTER_NOT_READY',
    message: expect.stringMatching(/^a\.yaml: .*OPENAI_API_KEY/),
  });
});

import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { loadScenario } from './load-scenario.ts';
import { scenarioHash, taskChanges } from './scenario-identity.ts';

async function scenario(text: string) {
  await using fixture = await projectFixture({ 'a.yaml': text });
  return (await loadScenario({ file: fixture.path('a.yaml'), project: await fixture.project() })).scenario;
}

test('the hash depends on the content of a scenario, not on the layout of its file', async () => {
  const one = await scenario('prompt: hi\nmodel: m\nextras: {a: 1, b: 2}\n');
  const two = await scenario('# a comment\nextras:\n  b: 2\n  a: 1\nmodel: "m"\nprompt: hi\nmax_turns: 10\n');
  const other = await scenario('prompt: hi!\nmodel: m\nextras: {a: 1, b: 2}\n');
  expect(scenarioHash(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(scenarioHash(one)).toBe(scenarioHash(two));
  expect(scenarioHash(one)).not.toBe(scenarioHash(other));
});

test('only fields that influence the agent change its task', async () => {
  const before = await scenario('prompt: hi\nmodel: m\nassertions: [{type: cost_limit, max_usd: 1}]\n');
  const judged = await scenario('name: n\ndescription: d\ntags: [t]\nthreshold: 0.1\nprompt: hi\nmodel: m\n');
  const changed = await scenario('prompt: hello\ntemperature: 0\n');
  expect(taskChanges(before, judged)).toEqual([]);
  expect(taskChanges(before, changed)).toEqual(['model', 'prompt', 'temperature']);
});

test('of the rows of data, only what the agent sees changes its task', async () => {
  const table = (row: string) =>
    scenario(`prompt: "{{q}}"\nassertions: [{type: output_contains, value: "{{a}}"}]\ndata: [${row}]\n`);
  const before = await table('{q: hi, a: x}');
  expect(taskChanges(before, await table('{q: hi, a: corrected, name: n}'))).toEqual([]);
  expect(taskChanges(before, await table('{q: hello, a: x}'))).toEqual(['data']);
});

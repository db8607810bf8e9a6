import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { inspectScenario } from '../load-scenario.ts';

/** Problems of a scenario with these gates. They begin in line 8. */
async function check(gates: string, settings = ''): Promise<string[]> {
  const judges = ['tone', 'style'].map(
    (id) =>
      `  - {type: judge, id: ${id}, criteria: [{name: kind, description: x}, {name: ${id}-only, description: y}]}`,
  );
  const scenario = `prompt: hi\nassertions:\n${judges.join('\n')}\n  - {type: output_json}\nadapter: scripted\nscript: [{content: a}]\n${gates}\n`;
  await using fixture = await projectFixture({ 'salvo.yaml': settings, 'scenarios/a.yaml': scenario });
  const { diagnostics } = await inspectScenario({
    file: fixture.path('scenarios/a.yaml'),
    project: await fixture.project(),
  });
  return diagnostics.map(({ line, column, severity, code, hint }) => {
    const guess = /did you mean "(.*)"/.exec(hint ?? '')?.[1];
    return `${line}:${column} ${severity === 'warning' ? 'warning ' : ''}${code}${guess ? ` -> ${guess}` : ''}`;
  });
}

test.each([
  ['one chance', 'min_pass_hat_k: {k: 3, rate: 80%}'],
  ['several chances', 'min_pass_at_k: [{k: 1, rate: 0.5}, {k: 3, rate: 80%}]'],
  ['criteria', 'min_criteria: {tone-only: 80%, style: {kind: 0.5}}'],
  ['cost and latency', 'max_cost_usd: 0.01\nmax_latency_seconds: {p95: 5}'],
  ['no pass rate, but another gate', 'min_pass_rate: 0\nmax_cost_usd: 0.01'],
])('gates with %s are valid', async (_, gates) => {
  expect(await check(gates)).toEqual([]);
});

test.each([
  ['a rate that is no share', 'min_pass_hat_k: {k: 3, rate: 80}', ['8:30 invalid-value']],
  ['no k', 'min_pass_hat_k: {rate: 80%}', ['8:1 missing-key']],
  ['a k of 0', 'min_pass_hat_k: {k: 0, rate: 80%}', ['8:21 invalid-value']],
  ['a negative cost', 'max_cost_usd: -1', ['8:15 invalid-value']],
  ['no quantile', 'max_latency_seconds: {}', ['8:22 invalid-value']],
  ['another quantile', 'max_latency_seconds: {p99: 1}', ['8:22 invalid-value', '8:23 unknown-key -> p95']],
  ['a misspelt criterion', 'min_criteria: {tone-onyl: 1}', ['8:16 unknown-criterion -> tone-only']],
  ['a criterion of two judges', 'min_criteria: {kind: 1}', ['8:16 ambiguous-criterion']],
  ['a misspelt judge', 'min_criteria: {stlye: {kind: 1}}', ['8:16 unknown-judge -> style']],
  ['a criterion of another judge', 'min_criteria: {style: {tone-only: 1}}', ['8:24 unknown-criterion -> style-only']],
  ['fewer trials than k', 'trials: 2\nmin_pass_hat_k: {k: 3, rate: 1}', ['9:21 warning too-few-trials']],
])('%s is reported with its place', async (_, gates, expected) => {
  expect(await check(gates)).toEqual(expected);
});

test('the trials of salvo.yaml may be too few, too', async () => {
  const gates = 'min_pass_at_k: [{k: 2, rate: 1}, {k: 3, rate: 1}]';
  expect(await check(gates, 'defaults: {trials: 2}\n')).toEqual(['8:38 warning too-few-trials']);
});

test('a text with a comma that is not quoted in a map gets a hint', async () => {
  const scenario =
    'prompt: hi\nassertions: [{type: output_json}]\nquarantine: {until: 2099-12-31, reason: slow, see issue 7}\n';
  await using fixture = await projectFixture({ 'scenarios/a.yaml': scenario });
  const found = await inspectScenario({ file: fixture.path('scenarios/a.yaml'), project: await fixture.project() });
  expect(found.diagnostics.find(({ code }) => code === 'unknown-key')).toMatchObject({
    message: 'unknown key "see issue 7"',
    hint: 'if it belongs to the text before it, put that text in quotes',
  });
});

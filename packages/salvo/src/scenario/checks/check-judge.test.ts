import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { checkProjectFile } from '../load-project.ts';
import { inspectScenario, loadScenario } from '../load-scenario.ts';
import { scenarioHash } from '../scenario-identity.ts';

/** Problems of a scenario with one judge, by line and column of its assertion. */
async function check(assertion: string, files: Record<string, string> = {}): Promise<string[]> {
  await using fixture = await projectFixture({
    'salvo.yaml': 'adapters: {my-judge: {type: scripted, script: [{content: hi}]}}\n',
    'scenarios/a.yaml': `prompt: hi\nassertions:\n- type: judge\n${assertion.replaceAll(/^/gm, '  ')}\n`,
    ...files,
  });
  const file = fixture.path('scenarios/a.yaml');
  const { diagnostics } = await inspectScenario({ file, project: await fixture.project() });
  return diagnostics.map(({ file: where, line, column, severity, code, hint }) => {
    const name = where === file ? '' : `${basename(where)}:`;
    const guess = /did you mean "(.*)"/.exec(hint ?? '')?.[1];
    return `${name}${line}:${column} ${severity === 'warning' ? 'warning ' : ''}${code}${guess ? ` -> ${guess}` : ''}`;
  });
}

const GOOD = 'criteria: [{name: a, description: x}]';

test.each([
  ['criteria', GOOD],
  ['a rubric file', 'rubric: ../_rubric.yaml'],
  ['a named judge', `${GOOD}\njudge_adapter: my-judge\njudge_model: m`],
  ['a panel', `${GOOD}\njudges: [{model: m}, {adapter: my-judge, model: n, weight: 2}]\nk: 1`],
  ['a default adapter for the panel', `${GOOD}\njudge_adapter: anthropic\njudges: [{model: m}]`],
  [
    'every option',
    `${GOOD}\nk: 5\ntemperature: 0.5\nmax_tokens: 9\nthreshold: 0.5\naggregation: mean\nearly_stop: true`,
  ],
  ['sections', `${GOOD}\ncontext: [task, response]\ninclude_system_prompt: true`],
  ['a prompt without a place for the criteria', `${GOOD}\ncustom_prompt: Be kind.`],
  ['a cascade', `${GOOD}\ncascade: [{model: m, mode: decide, sure: 90%}, {adapter: my-judge, model: n, k: 3}]`],
  ['a cascade that ends with people', `${GOOD}\ncascade: [{model: m, k: 3, sure: 1}, {people: true}]`],
  ['a scale', 'criteria: [{name: a, description: x, scale: {0: bad, .5: so-so, 1: good}}]'],
  ['one criterion without weight', 'criteria: [{name: a, description: x, weight: 0}, {name: b, description: x}]'],
])('a judge with %s is valid', async (_, assertion) => {
  expect(await check(assertion, { '_rubric.yaml': '- {name: a, description: x}\n' })).toEqual([]);
});

test.each([
  ['neither criteria nor a rubric', 'k: 3', ['3:3 missing-key']],
  ['criteria and a rubric', `${GOOD}\nrubric: x.yaml`, ['5:3 conflicting-keys']],
  ['no criterion at all', 'criteria: []', ['4:13 invalid-value']],
  ['misspelt criteria', 'critera: [{name: a, description: x}]', ['4:3 unknown-key -> criteria']],
  [
    'two criteria of one name',
    'criteria: [{name: a, description: x}, {name: a, description: y}]',
    ['4:48 duplicate-criterion'],
  ],
  [
    'names that differ in case and blanks only',
    'criteria: [{name: A b, description: x}, {name: " a B ", description: y}]',
    ['4:50 duplicate-criterion'],
  ],
  ['weights that are all 0', 'criteria: [{name: a, description: x, weight: 0}]', ['4:3 no-weight']],
  ['a scale of one band', 'criteria: [{name: a, description: x, scale: {1: good}}]', ['4:47 invalid-value']],
  [
    'a band that is no number',
    'criteria: [{name: a, description: x, scale: {0: bad, good: x}}]',
    ['4:56 invalid-value'],
  ],
  ['a band beyond 1', 'criteria: [{name: a, description: x, scale: {0: bad, 5: x}}]', ['4:56 invalid-value']],
  ['a band below 0', 'criteria: [{name: a, description: x, scale: {-1: bad, 1: x}}]', ['4:48 invalid-value']],
  ['one band twice', 'criteria: [{name: a, description: x, scale: {0.5: bad, 0.50: x}}]', ['4:58 duplicate-key']],
  [
    'a scale that is binary',
    'criteria: [{name: a, description: x, binary: true, scale: {0: a, 1: b}}]',
    ['4:40 conflicting-keys'],
  ],
  ['an unknown judge', `${GOOD}\njudge_adapter: my-jugde`, ['5:18 unknown-adapter -> my-judge']],
  ['an unknown judge in a panel', `${GOOD}\njudges: [{adapter: opnai, model: m}]`, ['5:22 unknown-adapter -> openai']],
  ['a module that is not there', `${GOOD}\njudge_adapter: ./judge.ts`, ['5:18 missing-file']],
  ['the script of no scenario', `${GOOD}\njudge_adapter: scripted`, ['5:18 missing-script']],
  ['a model beside a panel', `${GOOD}\njudge_model: m\njudges: [{model: m}]`, ['5:3 conflicting-keys']],
  ['a panel without models', `${GOOD}\njudges: [{adapter: openai}]`, ['5:12 missing-key']],
  ['a judge without weight', `${GOOD}\njudges: [{model: m, weight: 0}]`, ['5:31 invalid-value']],
  ['an even number of votes', `${GOOD}\nk: 4`, ['5:6 warning even-votes']],
  ['an even panel of equals', `${GOOD}\nk: 1\njudges: [{model: m}, {model: n}]`, ['5:6 warning even-votes']],
  ['too many votes', `${GOOD}\nk: 23`, ['5:6 invalid-value']],
  ['an unknown section', `${GOOD}\ncontext: [tool_result]`, ['5:13 invalid-value -> tool_results']],
  ['a rubric that is not there', 'rubric: no.yaml', ['4:11 missing-file']],
  ['a rubric outside the project', 'rubric: ../../other.yaml', ['4:11 outside-project']],
  ['a rubric that is no YAML', 'rubric: notes.md', ['4:11 invalid-value']],
  ['a rubric that is a folder', 'rubric: ..', ['4:11 unreadable-file']],
])('a judge with %s is reported', async (_, assertion, expected) => {
  expect(await check(assertion, { 'scenarios/notes.md': 'x' })).toEqual(expected);
});

test('the weights of a panel can break a tie', async () => {
  expect(await check(`${GOOD}\nk: 1\njudges: [{model: m, weight: 2}, {model: n}]`)).toEqual([]);
});

test('a loaded scenario has the criteria of its rubric file, and no longer needs the file', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': '',
    '_rubric.yaml': 'criteria: [{name: polite, description: Says please., weight: 2}]\n',
    'scenarios/a.yaml': 'prompt: hi\nassertions: [{type: judge, rubric: ../_rubric.yaml}]\n',
  });
  const load = async () => loadScenario({ file: fixture.path('scenarios/a.yaml'), project: await fixture.project() });
  const before = await load();
  expect(before.scenario.assertions).toMatchObject([
    { rubric: '../_rubric.yaml', criteria: [{ name: 'polite', description: 'Says please.', weight: 2 }] },
  ]);
  await fixture.write('_rubric.yaml', '- {name: polite, description: Says please and thanks., weight: 2}\n');
  const after = await load();
  expect(after.hash).not.toBe(before.hash);
  expect(after.hash).toBe(scenarioHash(after.scenario));
});

test('problems of a rubric file are shown where they are, and once', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': '',
    '_rubric.yaml': '- {name: a, description: x, wieght: 2}\n',
    'a.yaml':
      'prompt: hi\nassertions:\n- {type: judge, rubric: _rubric.yaml}\n- {type: judge, id: b, rubric: ./_rubric.yaml}\n',
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  expect(diagnostics).toMatchObject([
    { code: 'unknown-key', file: fixture.path('_rubric.yaml'), line: 1, column: 29, hint: 'did you mean "weight"?' },
  ]);
});

test('the judge of salvo.yaml is checked in the same way', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': 'judge:\n  adapter: scripted\n  k: 2\n' });
  const diagnostics = await checkProjectFile({ file: fixture.path('salvo.yaml') });
  expect(diagnostics.map(({ line, code, severity }) => `${line} ${severity} ${code}`)).toEqual([
    '2 error missing-script',
    '3 warning even-votes',
  ]);
});

test.each([
  ['criteria: [polite]', 'write {name: "polite", description: "what a good answer does"}'],
  [
    'criteria: ["It never insults the customer."]',
    'write {name: "a-short-name", description: "It never insults the customer."}',
  ],
  ['criteria: [3]', undefined],
])('a judge with the criteria %j is told what to write', async (assertion, hint) => {
  await using fixture = await projectFixture({
    'salvo.yaml': '',
    'scenarios/a.yaml': `prompt: hi\nassertions:\n- {type: judge, ${assertion}}\n`,
  });
  const { diagnostics } = await inspectScenario({
    file: fixture.path('scenarios/a.yaml'),
    project: await fixture.project(),
  });
  expect(diagnostics.map((each) => each.hint)).toEqual([hint]);
});

const STRONG = '{model: n, k: 3}';

test.each([
  ['one stage', `[${STRONG}]`, ['5:12 invalid-value']],
  ['no stage', '[]', ['5:12 invalid-value']],
  ['something else than a list', '{model: m}', ['5:12 wrong-type']],
  ['a stage that is no map', `[m, ${STRONG}]`, ['5:13 wrong-type']],
  ['sure of 0.5', `[{model: m, mode: decide, sure: 0.5}, ${STRONG}]`, ['5:44 invalid-value']],
  ['sure above 1', `[{model: m, mode: decide, sure: 1.5}, ${STRONG}]`, ['5:44 invalid-value']],
  ['sure that is a word', `[{model: m, mode: decide, sure: very}, ${STRONG}]`, ['5:44 invalid-value']],
  ['a first stage that decides everything', `[{model: m, mode: decide}, ${STRONG}]`, ['5:13 missing-key']],
  ['a stage without a model', `[{mode: decide, sure: 0.9}, ${STRONG}]`, ['5:13 missing-key']],
  ['people who are not the last', `[{people: true}, ${STRONG}]`, ['5:13 invalid-value']],
  ['people with a model', '[{model: m, mode: decide, sure: 1}, {people: true, model: n}]', ['5:63 conflicting-keys']],
  ['people: false', '[{model: m, mode: decide, sure: 1}, {people: false}]', ['5:57 invalid-value']],
  ['the same judge twice', '[{model: m, k: 3, sure: 0.9}, {model: m, k: 5}]', ['5:50 invalid-value']],
  ['a single vote that is sure', `[{model: m, k: 1, sure: 0.9}, ${STRONG}]`, ['5:27 invalid-value']],
  ['a misspelt key', `[{model: m, mode: decide, shure: 0.9}, ${STRONG}]`, ['5:38 unknown-key -> sure']],
  [
    'an unknown adapter',
    `[{adapter: my-juge, model: m, k: 3, sure: 1}, ${STRONG}]`,
    ['5:23 unknown-adapter -> my-judge'],
  ],
  [
    'no decision models',
    `[{adapter: anthropic, model: m, mode: decide, sure: 1}, ${STRONG}]`,
    ['5:23 no-decision-models'],
  ],
])('a cascade with %s is reported where it is', async (_, cascade, expected) => {
  expect(await check(`${GOOD}\ncascade: ${cascade}`)).toEqual(expected);
});

test('a cascade says who judges, so the assertion does not', async () => {
  const keys = 'k: 3\njudge_model: m\nmode: chat\njudges: [{model: m}]';
  const found = await check(`${GOOD}\ncascade: [{model: m, k: 3, sure: 1}, {model: n}]\n${keys}`);
  expect(found).toEqual(['6:3', '7:3', '8:3', '9:3'].map((place) => `${place} conflicting-keys`));
});

test('the cascade of a rubric and of salvo.yaml is checked there', async () => {
  const rubric = 'criteria: [{name: a, description: x}]\nmode: decide\ncascade: [{model: m, adapter: ./x.ts}]\n';
  expect(await check('rubric: ../_rubric.yaml', { '_rubric.yaml': rubric })).toEqual(
    expect.arrayContaining(['_rubric.yaml:2:1 conflicting-keys', '_rubric.yaml:3:10 invalid-value']),
  );
  await using fixture = await projectFixture({ 'salvo.yaml': 'judge: { cascade: [{model: m}, {model: n}] }\n' });
  const diagnostics = await checkProjectFile({ file: fixture.path('salvo.yaml') });
  expect(diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual(['1:20 missing-key']);
});

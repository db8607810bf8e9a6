import { basename } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import type { AssertionInput } from '../code/scenario-definition.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { inspectScenario } from '../load-scenario.ts';
import { projectFromObject, scenarioFromObject } from '../scenario-object.ts';

/** The problems of a scenario with one assertion, each as its place in the line, its code and its message. */
async function problemsOf(assertion: string, more = 'adapter: openai'): Promise<string[]> {
  await using fixture = await projectFixture({
    'a.yaml': `prompt: hi\ntools: [{name: search}]\n${more}\nassertions:\n  - ${assertion}\n`,
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  return diagnostics.map(
    ({ line, column, severity, code, message }) => `${line}:${column} ${severity} ${code} ${message}`,
  );
}

describe('an assertion that no trace can fail is an error:', () => {
  it.each([
    ['{path: turns, exists: true}', '5:27', 'turns always has a value, if only an empty list'],
    ['{path: "tool_calls[?name==\'search\']", exists: true}', '5:51', 'always has a value, if only an empty list'],
    ['{path: metadata.model, not_exists: false}', '5:40', 'metadata.model always has a value'],
    ['{path: metadata.turn_count, ne: "3"}', '5:37', 'metadata.turn_count is a number, never "3"'],
    ['{path: metadata.cost_usd, ne: null}', '5:35', 'nothing is equal to null'],
    ['{path: "turns[0].role", ne: asistant}', '5:33', 'never "asistant"'],
    ['{path: "turns[*].content", not_contains: 3}', '5:46', 'no entry of turns[*].content is 3: each is a text'],
    ['{path: metadata.model, regex: "x*"}', '5:35', '"x*" matches every text, the empty one included'],
    ['{path: metadata.model, contains: ""}', '5:38', 'every text contains the empty text'],
    ['{type: output_matches, pattern: "(?i)(refund)?"}', '5:37', 'the pattern matches every text'],
    ['{type: tool_called, tool: search, times: {min: 0}}', '5:46', 'every number of calls is at least 0'],
  ])('%s', async (assertion, place, why) => {
    const [problem, ...others] = await problemsOf(assertion);
    expect(others).toEqual([]);
    expect(problem).toContain(`${place} error always-passes this can never fail: `);
    expect(problem).toContain(why);
  });
});

describe('an assertion that no trace can pass is an error:', () => {
  it.each([
    ['{path: turns, not_exists: true}', '5:31', 'turns always has a value'],
    ['{path: metadata.turn_count, eq: "3"}', '5:37', 'metadata.turn_count is a number, never "3"'],
    ['{path: response.content, eq: null}', '5:34', 'nothing is equal to null'],
    ['{path: response.content, eq: {a: 1}}', '5:34', 'response.content is a text, never a map'],
    ['{path: response.content, gt: 3}', '5:34', 'gt compares numbers, and response.content is a text'],
    ['{path: metadata.turn_count, contains: 3}', '5:43', 'contains needs a text or a list'],
    ['{path: metadata.turn_count, not_contains: 3}', '5:47', 'not_contains needs a text or a list'],
    ['{path: tool_calls, contains: search}', '5:34', 'each is a map (id, name, arguments'],
    ['{path: response.content, contains: true}', '5:40', 'a text, which can only contain a text'],
    ['{path: metadata.turn_count, regex: "3"}', '5:40', 'regex needs a text, and metadata.turn_count is a number'],
    ['{path: response.content, not_regex: "x?"}', '5:41', 'matches every text, the empty one included'],
    ['{path: response.content, not_contains: ""}', '5:44', 'every text contains the empty text'],
    ['{type: output_not_matches, pattern: "a*|b"}', '5:41', 'the pattern matches every text'],
    ['{type: output_json, schema: false}', '5:33', 'nothing fits the schema false'],
  ])('%s', async (assertion, place, why) => {
    const [problem, ...others] = await problemsOf(assertion);
    expect(others).toEqual([]);
    expect(problem).toContain(`${place} error never-passes this can never pass: `);
    expect(problem).toContain(why);
  });
});

it.each([
  '{path: response.content, exists: true}',
  '{path: metadata.cost_usd, not_exists: true}',
  '{path: "turns[3]", exists: true}',
  '{path: "length(tool_calls)", eq: 0}',
  '{path: "contains(response.content, \'X\')", eq: false}',
  '{path: "turns[?role==\'assistant\'] | [1].content", not_contains: refund}',
  '{path: "turns[0].role", eq: user}',
  '{path: response.finish_reason, eq: anything-a-provider-says}',
  '{path: "tool_calls[0].arguments.order.id", eq: 3}',
  '{path: "tool_calls[0].arguments.order.id", exists: true}',
  '{path: "tool_calls[*].name", contains: search}',
  '{path: metadata.cost_usd, lt: 0.5}',
  '{path: response.content, contains: 42}',
  '{path: response.content, regex: "^$"}',
  '{path: response.content, not_regex: "^\\\\s*$"}',
  '{path: response.content, regex: "\\\\b"}',
  '{type: output_matches, pattern: "(?i)refund|credit"}',
  '{type: output_not_contains, value: [refund, credit]}',
  '{type: output_not_matches, pattern: "(?i)refund"}',
  '{type: tool_called, tool: search, times: {min: 0, max: 2}}',
  '{type: output_json, schema: true}',
])('can pass and can fail: %s', async (assertion) => {
  expect(await problemsOf(assertion)).toEqual([]);
});

it.each([
  ['{path: response.content, regex: ".*"}', '', 'this fails only if response.content has no value'],
  ['{type: latency_limit, max_seconds: 300}', '', 'a trial is stopped after 300 s, and then not scored'],
  ['{type: latency_limit, max_seconds: 60}', 'timeout_seconds: 30', 'a trial is stopped after 30 s'],
  ['{type: custom, module: a.yaml, pass_at: 0%}', '', 'every score is at least 0'],
  ['{type: output_json}', 'threshold: 0', 'every trial passes, because every score is at least 0'],
  ['{type: output_json}', 'threshold: 0%', 'every trial passes, because every score is at least 0'],
  ['{type: output_json}', 'min_pass_rate: 0%', 'the scenario passes even if no trial does'],
])(
  'a warning is enough where a trace can still fail, or the score is only shown: %s %s',
  async (assertion, more, message) => {
    expect(await problemsOf(assertion, more)).toEqual([expect.stringContaining(message)]);
    expect((await problemsOf(assertion, more))[0]).toContain('warning always-passes');
  },
);

it.each([
  [
    '{path: "tool_calls[?name==\'serch\']", eq: []}',
    `== can never be true here: tool_calls[?...].name is "search", never 'serch'`,
  ],
  ['{path: "tool_calls[0].name", eq: serch}', 'this can never pass: tool_calls[0].name is "search", never "serch"'],
  ['{path: "tool_calls[*].name", not_contains: delete}', 'no entry of tool_calls[*].name is "delete"'],
])('a tool that the scenario does not have is warned of: %s', async (assertion, message) => {
  const [problem, ...others] = await problemsOf(assertion);
  expect(others).toEqual([]);
  expect(problem).toContain('warning unknown-tool');
  expect(problem).toContain(message);
});

test('a threshold of 0 is warned of where it is written: in a row and in salvo.yaml, as in a scenario', async () => {
  const scenario = (more: string) => `prompt: "{{q}}"\nassertions: [{type: output_json${more}}]\n`;
  const settings = 'default_adapter: anthropic\ndefaults:\n  min_pass_rate: 0%\n  threshold: 0\n';
  await using fixture = await projectFixture({
    'salvo.yaml': settings,
    'a.yaml': `${scenario('')}data:\n  - {q: a, threshold: 0%}\n  - {q: b, threshold: 50%}\n`,
    'csv.yaml': `${scenario('')}data: rows.csv\n`,
    'rows.csv': 'q,threshold\na,0.5\nb,0\n',
    'required.yaml': `${scenario(', required: true')}data:\n  - {q: a, threshold: 0%}\n`,
  });
  const project = await fixture.project();
  const placesIn = (diagnostics: readonly Diagnostic[] = []) =>
    diagnostics.map(({ file, line, column, severity, code }) => [
      `${basename(file)}:${line}:${column} ${severity} ${code}`,
    ]);
  const placesOf = async (file: string) =>
    placesIn((await inspectScenario({ file: fixture.path(file), project })).diagnostics);
  expect(placesIn(project.warnings)).toEqual([
    ['salvo.yaml:3:18 warning always-passes'],
    ['salvo.yaml:4:14 warning always-passes'],
  ]);
  expect(await placesOf('a.yaml')).toEqual([['a.yaml:4:12 warning always-passes']]);
  expect(await placesOf('csv.yaml')).toEqual([['rows.csv:3:3 warning always-passes']]);
  expect(await placesOf('required.yaml')).toEqual([]);
  await fixture.write('salvo.yaml', 'default_adapter: anthropic\ndefaults: {min_pass_rate: 0%, min_score: 50%}\n');
  expect((await fixture.project()).warnings).toBeUndefined();
});

test('a threshold of 0 is no mistake where a required assertion decides', async () => {
  expect(await problemsOf('{type: output_json, required: true}', 'threshold: 0')).toEqual([]);
  expect(await problemsOf('{type: output_json, required: true}', 'min_pass_rate: 0')).toEqual([]);
  expect(await problemsOf('{type: output_json}', 'min_pass_rate: 0\nmin_score: 50%')).toEqual([]);
});

test.each<[AssertionInput, string]>([
  [{ path: 'respnse.content', ne: 'secret' }, 'assertions[0].path: there is no "respnse" (did you mean "response"?'],
  [{ path: 'tool_cals', not_exists: true }, 'assertions[0].path: there is no "tool_cals" (did you mean "tool_calls"?'],
  [{ path: 'turns', exists: true }, 'assertions[0].exists: this can never fail: turns always has a value'],
])('scenarios that are written in code are checked alike', (assertion, message) => {
  const project = projectFromObject({}, '/');
  expect(() => scenarioFromObject({ prompt: 'hi', assertions: [assertion] }, { project })).toThrow(message);
});

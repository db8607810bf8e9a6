import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import { inspectScenario, loadScenario } from './load-scenario.ts';
import { registerAssertionType } from './schema/assertion-types.ts';

async function check(text: string, files: Record<string, string> = {}, knownAdapters?: Set<string>) {
  await using fixture = await projectFixture({ 'a.yaml': text, ...files });
  const { diagnostics } = await inspectScenario({
    file: fixture.path('a.yaml'),
    project: await fixture.project(),
    knownAdapters,
  });
  return diagnostics.map(({ line, column, code, severity, hint }) => {
    const guess = /did you mean "(.*)"/.exec(hint ?? '')?.[1];
    return `${line}:${column} ${severity === 'warning' ? 'warning ' : ''}${code}${guess ? ` -> ${guess}` : ''}`;
  });
}

/** A scenario that has nothing wrong but what the assertion has. */
const withAssertion = (assertion: string) => `prompt: hi\ntools: [{name: search}]\nassertions:\n  - ${assertion}\n`;

test('a scenario is loaded with defaults filled in and its name from the file', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': '',
    'scenarios/deep/first-try.yaml': 'prompt: hi\nassertions: [{type: output_contains, value: hello}]\n',
  });
  const loaded = await loadScenario({
    file: fixture.path('scenarios/deep/first-try.yaml'),
    project: await fixture.project(),
  });
  expect(loaded).toMatchObject({
    relativeFile: 'scenarios/deep/first-try.yaml',
    warnings: [],
    scenario: { name: 'first-try', max_turns: 10, tools: [], on_unmocked: 'error' },
  });
  expect(loaded.scenario.assertions).toEqual([
    { type: 'output_contains', value: 'hello', case_sensitive: true, weight: 1, required: false },
  ]);
  expect(loaded.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('all errors are thrown at once, and warnings are returned', async () => {
  await using fixture = await projectFixture({ 'bad.yaml': 'promt: hi\nthreshold: 2\n', 'good.yaml': 'prompt: hi\n' });
  const project = await fixture.project();
  const error: unknown = await loadScenario({ file: fixture.path('bad.yaml'), project }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(DiagnosticsError);
  expect(error instanceof DiagnosticsError && error.diagnostics.map(({ code }) => code)).toEqual([
    'unknown-key',
    'no-assertions',
    'invalid-value',
  ]);
  const { warnings } = await loadScenario({ file: fixture.path('good.yaml'), project });
  expect(warnings.map(({ code, severity }) => [code, severity])).toEqual([['no-assertions', 'warning']]);
});

test('unknown keys are found at every depth, with the key that was meant', async () => {
  expect(
    await check(
      'prompt: hi\ntools:\n  - name: t\n    mock_respnse: x\n    mock_responses: [{respnd: 1, error: x}]\nscript: {variants: [{turns: [{contnt: a}]}]}\nadapter: scripted\nassertions: [{type: cost_limit, max_usd: 1, wieght: 1}]\n',
    ),
  ).toEqual([
    '4:5 unknown-key -> mock_response',
    '5:23 unknown-key -> respond',
    '6:31 unknown-key -> content',
    '8:45 unknown-key -> weight',
  ]);
});

test.each([
  ['prompt: 3', '1:9 wrong-type'],
  ['prompt:', '1:8 wrong-type'],
  ['prompt: ""', '1:9 invalid-value'],
  ['prompt: hi\ntools: {name: x}', '2:8 wrong-type'],
  ['prompt: hi\nmax_turns: 1.5', '2:12 wrong-type'],
  ['prompt: hi\nmax_turns: 1001', '2:12 invalid-value'],
  ['prompt: hi\non_unmocked: fial', '2:14 invalid-value -> fail'],
  ['prompt: hi\ntools: [{name: a b}]', '2:16 invalid-value'],
  ['prompt: hi\nmessages: [{role: user, content: x}]', '1:1 conflicting-keys'],
  ['messages: [{role: user, content: x}, {role: assistant, content: y}]', '1:38 invalid-value'],
  ['messages: [{role: assistant, content: y}]', '1:12 invalid-value'],
  ['messages: [{role: usr, content: y}]', '1:19 invalid-value -> user'],
  ['[]', '1:1 wrong-type'],
  ['just text', '1:1 wrong-type'],
  ['', '1:1 empty-file'],
  ['# nothing', '1:1 empty-file'],
])('%j has a problem at its position', async (text, expected) => {
  expect(await check(text)).toContain(expected);
});

test.each([
  ['3', '4:5 wrong-type'],
  ['{value: 3}', '4:5 missing-key'],
  ['{type: 3}', '4:12 unknown-assertion-type'],
  ['{type: tool_caled}', '4:12 unknown-assertion-type -> tool_called'],
  ['{type: cost_limit}', '4:5 missing-key'],
  ['{type: cost_limit, max_usd: -1}', '4:33 invalid-value'],
  ['{type: jmespath, expression: turns, operator: eqq, value: 1}', '4:51 unknown-operator -> eq'],
  ['{type: jmespath, expression: turns, operator: eq}', '4:5 missing-key'],
  ['{type: jmespath, expression: "a.b c", operator: exists}', '4:39 invalid-expression'],
  ['{type: jmespath, expression: turns, operator: lt, value: "1"}', '4:62 wrong-type'],
  ['{type: jmespath, expression: turns, operator: regex, value: "("}', '4:65 invalid-pattern'],
  ['{type: jmespath, expression: turns, operator: exists, value: false}', '4:59 warning unused-value'],
  ['{type: output_matches, pattern: "(?=a)"}', '4:37 invalid-pattern'],
  ['{type: output_json, schema: {properties: {a: {type: strng}}}}', '4:57 invalid-json-schema'],
  ['{type: output_json, schema: {type: object, requried: [a]}}', '4:48 warning unknown-keyword -> required'],
  ['{type: tool_called, tool: serch}', '4:31 unknown-tool -> search'],
  ['{type: tool_called, tool: search, arguments: "a["}', '4:52 invalid-expression'],
  ['{type: tool_called, tool: search, times: {min: 2, max: 1}}', '4:46 invalid-value'],
  ['{type: tool_sequence, sequence: [search, serch]}', '4:46 unknown-tool -> search'],
  ['{type: tool_sequence, sequence: [search, {tool: serch}]}', '4:53 unknown-tool -> search'],
  ['{type: tool_sequence, sequence: [{tool: search, arguments: "a["}]}', '4:66 invalid-expression'],
  ['{type: tool_sequence, sequence: [{tool: search, args: {a: 1}}]}', '4:53 unknown-key -> arguments'],
  ['{type: tool_sequence, sequence: [search], mode: ordered}', '4:53 invalid-value'],
  ['{type: tool_called, tool: search, arguments: {id: {$regx: a}}}', '4:56 unknown-key -> $regex'],
  ['{type: tool_called, tool: search, arguments: {id: {$regex: "("}}}', '4:64 invalid-pattern'],
  ['{type: tool_not_called, tool: search, arguments: {id: {$near: 1}}}', '4:60 missing-key'],
  ['{type: tool_called, tool: search, arguments: {id: {$near: "1", $tolerance: 1}}}', '4:63 wrong-type'],
  ['{type: tool_called, tool: search, arguments: {ids: [{$any_of: []}]}}', '4:58 invalid-value'],
  ['{type: tool_called, tool: search, arguments: {id: {$any_of: [{$near: 1, b: 2}]}}}', '4:77 conflicting-keys'],
  ['{type: output_contains, value: a, turn: 2}', '4:45 warning never-passes'],
  ['{path: response.content, contains: a, turn: 2}', '4:49 warning never-passes'],
  ['{type: output_contains, value: a, turn: 0}', '4:45 invalid-value'],
  ['{type: output_contains, value: a, turn: first}', '4:45 invalid-value'],
  ['{type: conversation_ended}', '4:12 missing-key'],
  ['{type: custom, module: ./nope.ts}', '4:28 missing-file'],
  ['{type: cost_limit, max_usd: 1, weight: 0}', '3:1 no-weight'],
  ['{path: response.content}', '4:5 missing-key'],
  ['{contains: x}', '4:5 missing-key'],
  ['{path: response.content, contans: x}', '4:30 unknown-key -> contains'],
  ['{path: response.content, contains: x, regex: y}', '4:43 conflicting-keys'],
  ['{path: "a..b", exists: true}', '4:15 invalid-expression'],
  ['{path: turns, regex: "("}', '4:26 invalid-pattern'],
  ['{path: turns, gt: "1"}', '4:23 wrong-type'],
  ['{path: turns, exists: 1}', '4:27 wrong-type'],
])('the assertion %s has a problem at its position', async (assertion, expected) => {
  expect(await check(withAssertion(assertion))).toEqual([expected]);
});

test('the shorthand becomes a jmespath assertion, and exists: false means not_exists', async () => {
  await using fixture = await projectFixture({
    'a.yaml':
      'prompt: hi\nassertions:\n  - {path: response.content, contains: x, id: c, weight: 2, required: true}\n  - {path: metadata.cost_usd, exists: false}\n  - {path: metadata.cost_usd, not_exists: false}\n  - {path: metadata.cost_usd, eq: 0}\n',
  });
  const { scenario } = await loadScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  const base = { type: 'jmespath', expression: 'metadata.cost_usd', weight: 1, required: false };
  expect(scenario.assertions).toEqual([
    {
      type: 'jmespath',
      expression: 'response.content',
      operator: 'contains',
      value: 'x',
      id: 'c',
      weight: 2,
      required: true,
    },
    { ...base, operator: 'not_exists' },
    { ...base, operator: 'exists' },
    { ...base, operator: 'eq', value: 0 },
  ]);
});

test('a registered assertion type is known, and checked by its schema', async () => {
  registerAssertionType('politeness');
  expect(await check(withAssertion('{type: politeness, level: 3}'))).toEqual([]);
  expect(await check(withAssertion('{type: politenes, level: 3}'))).toEqual([
    '4:12 unknown-assertion-type -> politeness',
  ]);
});

test('two tools, or two assertions, cannot have the same name', async () => {
  const text =
    'prompt: hi\ntools: [{name: a}, {name: a}]\nassertions:\n  - {type: output_json, id: x}\n  - {type: output_json, id: x}\n';
  expect(await check(text)).toEqual(['2:27 duplicate-tool', '5:29 duplicate-id']);
});

test('a mock has one answer, for arguments that the tool declares', async () => {
  const text = [
    'prompt: hi',
    'tools:',
    '  - name: t',
    '    parameters: {type: object, properties: {query: {type: string}}}',
    '    mock_response: x',
    '    mock_responses:',
    '      - {respond: 1, error: x}',
    '      - {when: {qery: 1}, respond: null}',
    '      - {when: "a b", error: x}',
    '      - {times: 1}',
    'assertions: [{type: output_json}]',
  ].join('\n');
  expect(await check(text)).toEqual([
    '6:5 conflicting-keys',
    '7:22 conflicting-keys',
    '8:17 warning unknown-argument -> query',
    '9:19 invalid-expression',
    '10:9 missing-key',
  ]);
});

test('tools in assertions are only warned of for whole agents', async () => {
  const assertion = 'assertions: [{type: tool_called, tool: serch}]';
  expect(await check(`prompt: hi\nadapter: exec:agent\ntools: [{name: search}]\n${assertion}`)).toEqual([
    '4:40 warning unknown-tool -> search',
  ]);
});

test('extras are few, small, and without credentials at any depth', async () => {
  const extras = (value: string) => check(`prompt: hi\nassertions: [{type: output_json}]\nextras: ${value}`);
  expect(await extras('{top_p: 1, max_tokens: 5}')).toEqual([]);
  expect(await extras('{a: [{api_key: x}], authorization: y}')).toEqual(['3:15 credential', '3:29 credential']);
  expect(await extras(`{a: ${'x'.repeat(5000)}}`)).toEqual(['3:1 too-many-extras']);
  expect(await extras(`{${Array.from({ length: 11 }, (_, i) => `a${i}: 1`).join(', ')}}`)).toEqual([
    '3:1 too-many-extras',
  ]);
});

test('extras change nothing that Salvo sends itself', async () => {
  const extras = (value: string, more = '', salvoYaml = '') =>
    check(`prompt: hi\nassertions: [{type: output_json}]\nextras: ${value}\n${more}`, { 'salvo.yaml': salvoYaml });
  expect(await extras('{model: gpt-5-pro, messages: [], top_p: 1}')).toEqual(['3:10 own-field', '3:28 own-field']);
  expect(await extras('{tools: [], stream: true, system: x}')).toHaveLength(3);
  expect(await extras('{temperature: 1, max_tokens: 5}', 'temperature: 0')).toEqual(['3:10 own-field']);
  expect(await extras('{max_completion_tokens: 5}', 'max_tokens: 9')).toEqual(['3:10 own-field']);
  expect(await extras('{metadata: {model: mine}}')).toEqual([]);
  const aiSdk = 'adapters: {sdk: {type: ai-sdk, package: "@ai-sdk/openai-compatible"}}';
  expect(await extras('{custom: {model: gpt-5-pro}}', 'adapter: sdk', aiSdk)).toEqual(['3:19 own-field']);
});

test('an adapter is built in, named in salvo.yaml, registered, a URL, a command or a module that exists', async () => {
  const adapter = (name: string) =>
    check(
      `prompt: hi\nassertions: [{type: output_json}]\nadapter: ${name}`,
      { 'agent.ts': '', 'salvo.yaml': 'adapters: {local: {type: openai}}' },
      new Set(['mine']),
    );
  for (const name of ['openai', 'anthropic', 'local', 'mine', './agent.ts', 'https://a.b/c', '"exec:node agent.js"']) {
    expect(await adapter(name)).toEqual([]);
  }
  expect(await adapter('lcal')).toEqual(['3:10 unknown-adapter -> local']);
  expect(await adapter('mne')).toEqual(['3:10 unknown-adapter -> mine']);
  expect(await adapter('llama')).toEqual(['3:10 unknown-adapter']);
  expect(await adapter('constructor')).toEqual(['3:10 unknown-adapter']);
  expect(await adapter('./nope.ts')).toEqual(['3:10 missing-file']);
});

test('the scripted adapter needs a script, and no other adapter reads one', async () => {
  const scenario = (rest: string) => check(`prompt: hi\nassertions: [{type: output_json}]\n${rest}`);
  expect(await scenario('adapter: scripted')).toEqual(['3:10 missing-script']);
  expect(await scenario('adapter: scripted\nscript: [{content: x}]')).toEqual([]);
  expect(await scenario('adapter: openai\nscript: [{content: x}]')).toEqual(['4:1 warning unused-value']);
});

test('a scenario without an adapter learns where the scripted one comes from, and what else it could name', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted',
    'a.yaml': withAssertion('{type: output_json}'),
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  expect(diagnostics).toMatchObject([
    {
      code: 'missing-script',
      message: 'the adapter "scripted", which is the default here, needs "script", which is missing',
      hint: expect.stringContaining('adapter: ../agent.ts'),
    },
  ]);
});

test.each([
  ['icontains', 'did you mean "output_contains"?'],
  ['g-eval', 'did you mean "judge"?'],
  ['exact_match', 'did you mean "output_equals"?'],
])('an assertion type of another tool, such as %s, is translated', async (type, hint) => {
  await using fixture = await projectFixture({ 'a.yaml': withAssertion(`{type: ${type}, value: x}`) });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  expect(diagnostics).toMatchObject([{ code: 'unknown-assertion-type', hint }]);
});

test('an assertion type that is written as a key is shown where it belongs', async () => {
  await using fixture = await projectFixture({ 'a.yaml': withAssertion('tool_called: search') });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  expect(diagnostics).toMatchObject([{ code: 'missing-key', hint: 'write {type: tool_called, ...}' }]);
});

test('problems of an included file are located in that file', async () => {
  await using fixture = await projectFixture({
    'a.yaml': 'prompt: hi\ntools: !include _tools.yaml\nassertions: !include gone.yaml\n',
    '_tools.yaml': '- nme: x\n',
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  expect(
    diagnostics.map(({ file, line, column, code }) => [file.slice(fixture.root.length + 1), line, column, code]),
  ).toEqual([
    ['a.yaml', 3, 22, 'missing-file'],
    ['_tools.yaml', 1, 3, 'unknown-key'],
  ]);
});

test.each([
  'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n',
  'name: CI\non: push\njobs: {}\n',
  'default_adapter: openai\njudge: {k: 3}\n',
])('a file that is clearly no scenario gives one message: %j', async (text) => {
  expect(await check(text)).toEqual(['1:1 not-a-scenario']);
});

test.each([
  ['promt: hi\n', '1:1 unknown-key -> prompt'],
  ['name: x\n', '1:1 missing-key'],
  ['assertion: []\nprompt_: hi\n', '1:1 unknown-key -> assertions'],
])('a scenario with mistakes is still taken for one: %j', async (text, expected) => {
  expect(await check(text)).toContain(expected);
});

test('of thousands of problems the first thousand are listed, and the others counted', async () => {
  const problems = await check(`prompt: hi\nextras: [${'!x a,'.repeat(3000)}]\n`);
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)).toMatch(/^2:\d+ more-problems$/);
});

test('a scenario with too many tools or assertions is refused in one message', async () => {
  const many = (entry: string) => `[${`${entry},`.repeat(501)}]`;
  expect(await check(`prompt: hi\ntools: ${many('{nam: t}')}\nassertions: [{type: output_json}]\n`)).toContain(
    '2:8 invalid-value',
  );
  expect(await check(`prompt: hi\nassertions: ${many('{type: output_matches, pattern: "("}')}\n`)).toEqual([
    '2:13 invalid-value',
  ]);
});

test.each([
  ['a misspelt key of the scenario', 'promt: hi\nassertions: [{type: output_json}]\n', '1:1 unknown-key -> prompt'],
  ['of a tool', 'prompt: hi\ntools: [{nam: t}]\nassertions: [{type: output_json}]\n', '2:10 unknown-key -> name'],
  [
    'of a mock',
    `${'prompt: hi\ntools: [{name: t, mock_responses: [{respnd: 1}]}]\n'}assertions: [{type: output_json}]\n`,
    '2:37 unknown-key -> respond',
  ],
  ['of an assertion', withAssertion('{type: cost_limit, max: 1}'), '4:24 unknown-key -> max_usd'],
  ['the type itself', withAssertion('{tpye: output_json}'), '4:6 unknown-key -> type'],
  ['a key too many and one too few', withAssertion('{type: latency_limit, limit: 1}'), '4:27 unknown-key'],
])('one mistake gives one message: %s', async (_, text, expected) => {
  expect(await check(text)).toEqual([expected]);
});

test('two missing keys are two messages, whatever other keys there are', async () => {
  const text =
    'messages: [{role: tool_result, content: x, strange: 1}, {role: user, content: hi}]\nassertions: [{type: output_json}]\n';
  expect(await check(text)).toEqual(['1:12 missing-key', '1:12 missing-key', '1:44 unknown-key']);
});

test('an assertion on a tool in a scenario without tools is a warning for a model, and not for an agent that may have its own', async () => {
  const text = 'prompt: hi\nassertions: [{type: tool_called, tool: search}]\n';
  const settings = 'adapters: {mine: {type: module, path: ./agent.ts}, fast: {type: openai}}\n';
  const files = { 'agent.ts': '', 'salvo.yaml': settings };
  for (const model of ['openai', 'fast']) {
    expect(await check(`adapter: ${model}\n${text}`, files)).toEqual(['3:40 warning unknown-tool']);
  }
  for (const agent of ['https://example.com/agent', './agent.ts', 'mine', 'exec:python3 agent.py']) {
    expect(await check(`adapter: ${agent}\n${text}`, files)).toEqual([]);
  }
  // Which agent it is for, the command line may say.
  expect(await check(text, files)).toEqual([]);
  expect(await check(text, { ...files, 'salvo.yaml': `default_adapter: mine\n${settings}` })).toEqual([]);
});

test('matchers of mocks are checked, and data with $ can be written', async () => {
  const mock = (when: string) =>
    `prompt: hi\nassertions: [{type: output_json}]\ntools:\n  - {name: t, mock_responses: [{when: ${when}, respond: 1}]}\n`;
  expect(await check(mock('{id: {$regx: a}}'))).toEqual(['4:45 unknown-key -> $regex']);
  expect(await check(mock('{id: {$regex: a}, filter: {$equals: {$gt: 5}}}'))).toEqual([]);
});

test('a turn is a number up to that of the questions, unless a simulated user asks them', async () => {
  const scenario = (turn: number, rest: string) =>
    `${rest}\nassertions: [{type: output_contains, value: a, turn: ${turn}}]\n`;
  const messages =
    'messages: [{role: user, content: a}, {role: assistant, content: b}, {role: user, content: c}, {role: user, content: d}]';
  expect(await check(scenario(2, messages))).toEqual([]);
  expect(await check(scenario(3, messages))).toEqual(['2:54 warning never-passes']);
  expect(await check(scenario(9, 'prompt: hi\nuser: {script: [a]}'))).toEqual([]);
});

test('matchers in rows are checked with the values of each row', async () => {
  const scenario = (pattern: string) =>
    `prompt: hi\ntools: [{name: t}]\ndata: [{p: a}, {p: "${pattern}"}]\nassertions:\n  - {type: tool_called, tool: t, arguments: {id: {$regex: "{{p}}"}}}\n`;
  expect(await check(scenario('b'))).toEqual([]);
  expect(await check(scenario('('))).toEqual(['5:59 invalid-pattern']);
});

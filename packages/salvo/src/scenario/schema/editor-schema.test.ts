import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileJsonSchema } from '../compile/json-schema.ts';
import { projectJsonSchema, scenarioJsonSchema } from './editor-schema.ts';

/** As the YAML language server does with `!include scalar` among its custom tags. */
const asTheEditorSeesIt = (text: string) =>
  parse(text, { customTags: [{ tag: '!include', resolve: (name: string) => name }] });
const checkScenario = compileJsonSchema(scenarioJsonSchema());
const scenario = (text: string) => checkScenario(asTheEditorSeesIt(text));

test('a valid scenario fits the schema', () => {
  expect(
    scenario(`
name: a
prompt: hi
tools: [{name: t, mock_responses: [{when: {a: 1}, respond: {b: 2}}]}]
assertions:
  - {type: tool_called, tool: t, times: {min: 1}}
  - {path: response.content, contains: x}
  - {type: output_json}
`),
  ).toEqual([]);
});

test.each([
  'promt: hi',
  'prompt: hi\nassertions: [{type: tool_caled}]',
  'prompt: hi\nassertions: [{path: a, contans: x}]',
  'prompt: 3',
])('%j does not fit', (text) => {
  expect(scenario(text).length).toBeGreaterThan(0);
});

test.each([
  'prompt: hi\ntools: !include ../tools.yaml\nassertions: !include rules.yaml\nscript: !include ../agent/refund.yaml',
  'messages: !include talk.yaml',
  'messages: [!include greeting.yaml, {role: user, content: !include question.md}]',
  'prompt: hi\ntools: [!include search.yaml, {name: t, parameters: !include t.schema.json}]',
  'prompt: hi\nassertions: [!include common.yaml, {type: output_json, schema: !include answer.schema.json}]',
  'prompt: hi\nscript: {variants: [!include good.yaml, {turns: !include bad.yaml}]}',
])('an editor that sees !include as a text does not flag %j', (text) => {
  expect(scenario(text)).toEqual([]);
});

test('templates may stand for numbers, and data for a file or rows', () => {
  const assertions =
    'assertions: [{type: tool_called, tool: t, times: "{{n}}"}, {path: metadata.cost_usd, lt: "{{most}}"}]';
  for (const data of ['rows.csv', '[{n: 1, most: 2}]']) {
    expect(
      scenario(
        `prompt: "{{n}}"\n${assertions}\ntools: [{name: t, mock_responses: [{respond: 1, times: "{{n}}"}]}]\ndata: ${data}`,
      ),
    ).toEqual([]);
  }
  expect(scenario('prompt: hi\nassertions: [{type: tool_called, tool: t, times: "n"}]').length).toBeGreaterThan(0);
  expect(scenario('prompt: hi\ndata: 5').length).toBeGreaterThan(0);
});

test.each(['prompt: hi\ntools: search', 'prompt: hi\ntags: fast', 'prompt: hi\nassertions: [polite]'])(
  'a text that is no file name is flagged all the same: %j',
  (text) => {
    expect(scenario(text).length).toBeGreaterThan(0);
  },
);

test('every key at every depth of both files has a description for the editor', () => {
  for (const schema of [scenarioJsonSchema(), projectJsonSchema()]) {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    const keys = describedKeys(schema);
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter(({ isDescribed }) => !isDescribed).map(({ path }) => path)).toEqual([]);
  }
});

function describedKeys(schema: unknown, path = ''): { path: string; isDescribed: boolean }[] {
  if (Array.isArray(schema)) return schema.flatMap((option) => describedKeys(option, path));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (keyword !== 'properties') return describedKeys(value, path);
    return Object.entries(Object(value)).flatMap(([key, property]: [string, unknown]) => [
      { path: `${path}/${key}`, isDescribed: typeof Object(property).description === 'string' || key === 'type' },
      ...describedKeys(property, `${path}/${key}`),
    ]);
  });
}

test('a valid salvo.yaml fits its schema, and nothing is required', () => {
  const check = compileJsonSchema(projectJsonSchema());
  expect(check({})).toEqual([]);
  expect(check(parse('adapters: {a: {type: openai, base_url: "http://localhost:1/v1"}}\njudge: {k: 5}'))).toEqual([]);
  expect(check(parse('concurency: 1'))).toHaveLength(1);
});

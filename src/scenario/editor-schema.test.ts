import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectJsonSchema, scenarioJsonSchema } from './editor-schema.ts';
import { compileJsonSchema } from './json-schema.ts';

const scenario = (text: string) => compileJsonSchema(scenarioJsonSchema())(parse(text));

test('what is a scenario fits the schema', () => {
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

test('every key of both files has a description for the editor', () => {
  for (const schema of [scenarioJsonSchema(), projectJsonSchema()]) {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    const properties: [string, unknown][] = Object.entries(Object(schema.properties));
    expect(properties.length).toBeGreaterThan(5);
    for (const [key, property] of properties)
      expect([key, property]).toEqual([key, expect.objectContaining({ description: expect.any(String) })]);
  }
});

test('what is a salvo.yaml fits its schema, with nothing required', () => {
  const check = compileJsonSchema(projectJsonSchema());
  expect(check({})).toEqual([]);
  expect(check(parse('adapters: {a: {type: openai, base_url: "http://localhost:1/v1"}}\njudge: {k: 5}'))).toEqual([]);
  expect(check(parse('concurency: 1'))).toHaveLength(1);
});

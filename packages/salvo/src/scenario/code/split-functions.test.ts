import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolSchema } from '../schema/tool-schema.ts';
import { withMockFunctions } from './scenario-functions.ts';
import { splitFunctions } from './split-functions.ts';

test('a function is a hash of its source in the document', () => {
  const shipped = () => 'shipped';
  const { document, functions } = splitFunctions({ tools: [{ name: 'a', mock_response: shipped }] });
  expect(document).toEqual({ tools: [{ name: 'a', mock_response: { $function: expect.stringMatching(/^\w{16}$/) } }] });
  expect(functions.mocks.get(0)?.get(-1)).toBe(shipped);
  const hashOf = (mock_response: unknown) => JSON.stringify(splitFunctions({ tools: [{ mock_response }] }).document);
  expect(hashOf(() => 'shipped')).toBe(hashOf(shipped));
  expect(hashOf(() => 'lost')).not.toBe(hashOf(shipped));
});

test('agent and hooks have their hashes apart from the fields of a file', () => {
  const { document, hashes, functions } = splitFunctions({ prompt: 'Hi', agent: () => 'x', setup: () => 1 });
  expect(document).toEqual({ prompt: 'Hi' });
  expect(Object.keys(hashes)).toEqual(['agent', 'setup']);
  expect(functions.hooks.setup).toBeTypeOf('function');
});

test('a zod schema becomes a JSON Schema, and one that has none is reported', () => {
  const parametersOf = (parameters: unknown) => splitFunctions({ tools: [{ name: 'a', parameters }] });
  expect(parametersOf(z.object({ id: z.string(), n: z.number().default(1) })).document).toEqual({
    tools: [
      {
        name: 'a',
        parameters: {
          type: 'object',
          properties: { id: { type: 'string' }, n: { type: 'number', default: 1 } },
          required: ['id'],
        },
      },
    ],
  });
  const [problem] = parametersOf(z.object({ d: z.date() })).problems;
  expect(problem).toMatchObject({ code: 'invalid-json-schema', path: ['tools', 0, 'parameters'] });
});

test('an assertion is named by its id, its function or its position', () => {
  function isPolite() {
    return true;
  }
  const { document, functions } = splitFunctions({
    assertions: [isPolite, { id: 'short', check: () => true, weight: 2 }, () => true, { check: () => false }],
  });
  expect([...functions.checks.keys()]).toEqual(['isPolite', 'short', 'check 3', 'check 4']);
  expect(document).toMatchObject({ assertions: [{ type: 'function' }, { id: 'short', weight: 2 }, {}, {}] });
});

test('functions return into tools by position', () => {
  const first = () => 1;
  const { document, functions } = splitFunctions({
    tools: [{ name: 'a', mock_responses: [{ error: 'busy', times: 1 }, { respond: first }] }],
  });
  const tools = z.object({ tools: z.array(toolSchema) }).parse(document).tools;
  expect(withMockFunctions(tools, functions)[0]?.mock_responses?.[1]?.respond).toBe(first);
});

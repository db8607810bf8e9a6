import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolsFor } from './langchain.ts';

const task = {
  tools: [{ name: 'look_up', description: '', parameters: {} }],
  callTool: async () => ({ content: 'found', is_error: false }),
};

const real = async (): Promise<string> => 'real';
const schema = z.object({ id: z.string() });

test('a mocked tool keeps what it tells the model, and how its graph treats it', () => {
  const own = tool(real, { name: 'look_up', description: 'Own.', schema, returnDirect: true, extras: { a: 1 } });
  const [mocked] = toolsFor(task, [own]);
  expect(mocked).toMatchObject({ name: 'look_up', description: 'Own.', returnDirect: true, extras: { a: 1 } });
  expect(mocked).toHaveProperty('schema', own.schema);
});

test('a tool with an artifact has none', async () => {
  const own = tool(async () => ['real', {}], {
    ...{ name: 'look_up', description: '', schema, responseFormat: 'content_and_artifact' },
  });
  const [mocked] = toolsFor<StructuredToolInterface>(task, [own]);
  const answer = await mocked?.invoke({ type: 'tool_call', id: 'c1', name: 'look_up', args: { id: '1' } });
  expect(answer).toMatchObject({ content: 'found', artifact: null, tool_call_id: 'c1' });
});

test('a tool without a mock, and one that the provider executes, stay as they are', () => {
  const own = tool(real, { name: 'look_up', description: '', schema });
  const other = tool(real, { name: 'other', description: '', schema });
  const ofProvider = { type: 'web_search' };
  expect(toolsFor(task, [own, other, ofProvider]).slice(1)).toEqual([other, ofProvider]);
});

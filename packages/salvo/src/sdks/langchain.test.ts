import { AIMessage } from '@langchain/core/messages';
import { DynamicTool, type StructuredToolInterface, tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentFor, toolsFor } from './langchain.ts';

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

test('the text that a tool takes is an argument of the mock', async () => {
  const asked: unknown[] = [];
  const callTool = async (_: string, args: unknown) => {
    asked.push(args);
    return { content: 'found', is_error: false };
  };
  const own = new DynamicTool({ name: 'look_up', description: '', func: real });
  const [mocked] = toolsFor<StructuredToolInterface>({ ...task, callTool }, [own]);
  await mocked?.invoke({ type: 'tool_call', id: 'c1', name: 'look_up', args: { input: 'A-1' } });
  expect(asked).toEqual([{ input: 'A-1' }]);
});

describe('a compiled graph', () => {
  const own = tool(real, { name: 'look_up', description: '', schema });
  const wanted = new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'look_up', args: { id: '1' } }] });
  const graphOf = (node: ConstructorParameters<typeof ToolNode>[0]) =>
    new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(node)).addEdge('__start__', 'tools').compile();
  const answer = async (graph: { invoke(state: object): Promise<{ messages: { content: unknown }[] }> }) =>
    (await graph.invoke({ messages: [wanted] })).messages.at(-1)?.content;

  test('works as usual where there is no task', async () => {
    const graph = graphOf([own]);
    expect(await Promise.all([answer(agentFor(task, graph)), answer(graph)])).toEqual(['found', 'real']);
  });

  test('has the mocks with another configuration, too', async () => {
    expect(await answer(agentFor(task, graphOf([own])).withConfig({ runName: 'test' }))).toBe('found');
  });

  test('has the mocks in its subgraphs, and in an agent that a tool calls', async () => {
    const outer = new StateGraph(MessagesAnnotation).addNode('inner', graphOf([own])).addEdge('__start__', 'inner');
    expect(await answer(agentFor(task, outer.compile()))).toBe('found');
    const asking = tool(async () => String(await answer(graphOf([own]))), { name: 'ask', description: '', schema });
    const ask = new AIMessage({ content: '', tool_calls: [{ id: 'c2', name: 'ask', args: { id: '1' } }] });
    const { messages } = await agentFor(task, graphOf([own, asking])).invoke({ messages: [ask] });
    expect(messages.at(-1)?.content).toBe('found');
  });

  test.each([
    ['calls its tools by itself', [], 'found in the tool nodes of the graph no tools'],
    ['has tools of other names', [tool(real, { name: 'lookup', description: '', schema })], 'the tool lookup.'],
  ])('that %s is refused', (_, tools, problem) => {
    const graph = graphOf(tools);
    expect(() => agentFor(task, graph)).toThrow(problem);
    expect(() => agentFor(task, graph)).toThrow('build the graph for each task, with toolsFor(task, tools)');
  });
});

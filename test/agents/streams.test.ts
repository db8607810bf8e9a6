import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool as langChainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { Agent, tool as agentsTool, run, setTracingDisabled, Usage } from '@openai/agents';
import { assistantMessage, functionCall, modelError, ScriptedModel } from '@openai/agents/testing';
import { APICallError, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFunctionAdapter } from '../../packages/salvo/src/adapters/lazy-adapter.ts';
import { type AgentFunction, runScenario } from '../../packages/salvo/src/index.ts';

// Streams as the SDKs themselves give them; only their models are scripted.

const asked = [{ role: 'user' as const, content: 'What is it?' }];

async function answerOf(agent: AgentFunction) {
  return createFunctionAdapter(agent).sendTurn(asked, [], { model: 'm' });
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const finish = (unified: 'stop' | 'tool-calls') => ({ unified, raw: undefined });
type ModelChunks = Parameters<
  typeof simulateReadableStream<
    Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never
  >
>[0]['chunks'];

function streamed(...turns: ModelChunks[]) {
  return new MockLanguageModelV4({ doStream: turns.map((chunks) => ({ stream: simulateReadableStream({ chunks }) })) });
}
const said = (text: string): ModelChunks => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
];
const look = {
  look: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: async () => ({ seen: 'a cat' }) }),
};
const settings = () => ({
  model: streamed(
    [
      ...said('Let me look.'),
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{}' },
      { type: 'finish', finishReason: finish('tool-calls'), usage },
    ],
    [...said('A cat.'), { type: 'finish', finishReason: finish('stop'), usage }],
  ),
  prompt: 'What is it?',
  stopWhen: stepCountIs(3),
  tools: look,
  onError: () => {},
});

const expected = [
  { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'c1', name: 'look', arguments: {} }] },
  { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: '{"seen":"a cat"}' },
  { role: 'assistant', content: 'A cat.', tool_calls: [] },
];

describe('the AI SDK', () => {
  test.each<[string, AgentFunction]>([
    ['the result of streamText', () => streamText(settings())],
    ['its fullStream', () => streamText(settings()).fullStream],
    ['its stream for a page', () => streamText(settings()).toUIMessageStream()],
    [
      'a result whose stream was read',
      async () => {
        const result = streamText(settings());
        for await (const _ of result.fullStream);
        return result;
      },
    ],
  ])('%s is all its steps', async (name, agent) => {
    const turn = await answerOf(agent);
    expect(turn).toMatchObject({ content: 'A cat.', messages: expected });
    if (name !== 'its stream for a page')
      expect(turn).toMatchObject({
        usage: { input_tokens: 20, output_tokens: 10 },
        messages: [
          { step: { input_tokens: 10, output_tokens: 5, latency_seconds: expect.any(Number), model: 'mock-model-id' } },
          {},
          { step: { output_tokens: 5 } },
        ],
      });
  });

  test('its textStream is a text, of which nobody knows the calls', async () => {
    expect(await answerOf(() => streamText(settings()).textStream)).toMatchObject({
      content: 'Let me look.A cat.',
      tools_reported: 'text',
    });
  });

  const failing = (statusCode: number) => {
    const error = new APICallError({ message: 'overloaded', url: 'http://x', requestBodyValues: {}, statusCode });
    return streamed([...said('Let me'), { type: 'error', error }]);
  };

  test('an error of the provider within the stream is an outage', async () => {
    const agent: AgentFunction = () => streamText({ ...settings(), model: failing(503), maxRetries: 0 });
    await expect(answerOf(agent)).rejects.toMatchObject({ code: 'AGENT_PROVIDER_FAILED' });
  });

  test('what was read before is kept in the trace', async () => {
    const result = await runScenario({
      trials: 1,
      scenario: {
        name: 'cat',
        prompt: 'What is it?',
        assertions: [{ type: 'output_contains', value: 'cat' }],
        agent: () => streamText({ ...settings(), model: failing(503), maxRetries: 0 }),
      },
    });
    const trace = result.trials[0]?.trace;
    expect(trace).toMatchObject({ error_code: 'AGENT_PROVIDER_FAILED', messages: [{}, { content: 'Let me' }] });
  });
});

describe('Mastra', () => {
  const stream = (text: string, finishReason: 'stop') =>
    simulateReadableStream({
      chunks: [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'response-metadata' as const, id: 'r', modelId: 'mock-1', timestamp: new Date(0) },
        { type: 'text-start' as const, id: 't' },
        { type: 'text-delta' as const, id: 't', delta: text },
        { type: 'text-end' as const, id: 't' },
        { type: 'finish' as const, finishReason, usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } },
      ],
    });
  const agent = () =>
    new MastraAgent({
      id: 'finder',
      name: 'Finder',
      instructions: 'Find it.',
      model: new MastraLanguageModelV2Mock({ doStream: async () => ({ stream: stream('A cat.', 'stop') }) }),
    });

  test.each<[string, AgentFunction]>([
    ['the result of stream()', () => agent().stream('What is it?')],
    ['its fullStream', async () => (await agent().stream('What is it?')).fullStream],
  ])('%s has the answer, its tokens and its model', async (_, function_) => {
    expect(await answerOf(function_)).toMatchObject({
      content: 'A cat.',
      usage: { input_tokens: 7, output_tokens: 3 },
      model: 'mock-1',
    });
  });
});

describe('the OpenAI Agents SDK', () => {
  beforeAll(() => setTracingDisabled(true));
  const tokens = (input: number) =>
    new Usage({ requests: 1, inputTokens: input, outputTokens: 1, totalTokens: input + 1 });
  const seeing = agentsTool({
    name: 'look',
    description: 'Looks.',
    parameters: z.object({}),
    execute: async () => ({ seen: 'a cat' }),
  });
  const agent = () =>
    new Agent({
      name: 'Finder',
      tools: [seeing],
      model: new ScriptedModel([
        { usage: tokens(10), output: [assistantMessage('Let me look.'), functionCall('look', {}, { callId: 'c1' })] },
        { usage: tokens(20), output: [assistantMessage('A cat.')] },
      ]),
    });
  const steps = [
    { ...expected[0], agent: 'Finder', step: { input_tokens: 10, output_tokens: 1 } },
    expected[1],
    { ...expected[2], agent: 'Finder', step: { input_tokens: 20, output_tokens: 1 } },
  ];

  test.each<[string, AgentFunction]>([
    ['a streamed run', async () => run(agent(), 'What is it?', { stream: true })],
    [
      'a streamed run that was read',
      async () => {
        const result = await run(agent(), 'What is it?', { stream: true });
        for await (const _ of result);
        return result;
      },
    ],
    ['a run', async () => run(agent(), 'What is it?')],
  ])('%s has its steps, who made them and their tokens', async (_, function_) => {
    const { trace, usage: used } = await answerOf(function_);
    expect(trace?.messages).toMatchObject([asked[0], ...steps]);
    expect(used).toMatchObject({ input_tokens: 30, output_tokens: 2 });
  });

  test('the events of a run are its steps', async () => {
    const turn = await answerOf(async () => (await run(agent(), 'What is it?', { stream: true })).toStream());
    expect(turn.trace?.messages).toMatchObject(steps);
  });

  test('a run whose model fails is an outage', async () => {
    const error = Object.assign(new Error('overloaded'), { status: 529 });
    const failing = new Agent({ name: 'Finder', model: new ScriptedModel([modelError(error)]) });
    await expect(answerOf(async () => run(failing, 'What is it?', { stream: true }))).rejects.toMatchObject({
      code: 'AGENT_PROVIDER_FAILED',
    });
  });
});

describe('LangGraph', () => {
  const seeing = langChainTool(async () => '{"seen":"a cat"}', {
    name: 'look',
    description: 'Looks.',
    schema: z.object({}),
  });
  const graph = () =>
    createReactAgent({
      name: 'finder',
      tools: [seeing],
      llm: fakeModel()
        .respond(new AIMessage({ content: 'Let me look.', tool_calls: [{ id: 'c1', name: 'look', args: {} }] }))
        .respond(
          new AIMessage({
            content: 'A cat.',
            usage_metadata: { input_tokens: 20, output_tokens: 2, total_tokens: 22 },
            response_metadata: { model_name: 'gpt-4o-mini' },
          }),
        ),
    });

  test.each(['values', 'updates', 'messages', ['updates', 'values'], ['messages']] as const)(
    'a stream of %s is the conversation',
    async (streamMode) => {
      const mode = typeof streamMode === 'string' ? streamMode : [...streamMode];
      const { trace } = await answerOf(() => graph().stream({ messages: asked }, { streamMode: mode }));
      expect(trace?.messages.filter(({ role }) => role !== 'user')).toMatchObject([
        { ...expected[0], agent: 'finder' },
        expected[1],
        { ...expected[2], agent: 'finder', step: { model: 'gpt-4o-mini', input_tokens: 20, output_tokens: 2 } },
      ]);
    },
  );
});

import type Anthropic from '@anthropic-ai/sdk';
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';
import { createFunctionAdapter } from '../../packages/salvo/src/adapters/lazy-adapter.ts';
import { type AgentReply, runScenario, traceFrom } from '../../packages/salvo/src/index.ts';

// What agents on the AI SDK return is written here by the SDK itself; only its model is a mock.

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const finish = (unified: 'stop' | 'tool-calls') => ({ unified, raw: undefined });
const calls = [
  { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'look', input: '{"at":"it"}' },
  { type: 'tool-call' as const, toolCallId: 'c2', toolName: 'fail', input: '{}' },
];

/** A model that thinks, says something, calls both tools, and then answers. */
function mockModel() {
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Let me look.' }, ...calls],
        ...{ finishReason: finish('tool-calls'), usage, warnings: [] },
      },
      { content: [{ type: 'text', text: 'A cat.' }], finishReason: finish('stop'), usage, warnings: [] },
    ],
    doStream: [
      {
        stream: simulateReadableStream({
          chunks: [
            { type: 'reasoning-start', id: 'r' },
            { type: 'reasoning-delta', id: 'r', delta: 'hm' },
            { type: 'reasoning-end', id: 'r' },
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Let me look.' },
            { type: 'text-end', id: 't' },
            ...calls,
            { type: 'finish', finishReason: finish('tool-calls'), usage },
          ],
        }),
      },
      {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'A cat.' },
            { type: 'text-end', id: 't' },
            { type: 'finish', finishReason: finish('stop'), usage },
          ],
        }),
      },
    ],
  });
}

const settings = (look: (args: { at: string }) => unknown = () => ({ seen: 'a cat' })) => ({
  model: mockModel(),
  prompt: 'What is it?',
  stopWhen: stepCountIs(3),
  tools: {
    look: tool({
      inputSchema: jsonSchema<{ at: string }>({ type: 'object', properties: { at: { type: 'string' } } }),
      execute: async (args) => look(args),
    }),
    fail: tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: async (): Promise<string> => {
        throw new Error('too dark');
      },
    }),
  },
});

const expected = [
  {
    role: 'assistant',
    content: 'Let me look.',
    reasoning: 'hm',
    tool_calls: [
      { id: 'c1', name: 'look', arguments: { at: 'it' } },
      { id: 'c2', name: 'fail', arguments: {} },
    ],
  },
  { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: '{"seen":"a cat"}', is_error: false },
  {
    role: 'tool_result',
    tool_call_id: 'c2',
    name: 'fail',
    content: expect.stringContaining('too dark'),
    is_error: true,
  },
  { role: 'assistant', content: 'A cat.', tool_calls: [] },
];

test('the result of generateText is a turn with all its steps, its tokens and its model', async () => {
  const adapter = createFunctionAdapter(() => generateText(settings()));
  const turn = await adapter.sendTurn([{ role: 'user', content: 'What is it?' }], [], { model: 'm' });
  expect(turn).toMatchObject({
    content: 'A cat.',
    tool_calls: [],
    finish_reason: 'stop',
    usage: { input_tokens: 20, output_tokens: 10 },
    model: 'mock-model-id',
  });
  expect(turn.messages).toMatchObject(expected);
  expect(traceFrom(await generateText(settings()))).toMatchObject({ messages: expected, total_tokens: 30 });
});

test('the messages of its steps are a conversation', async () => {
  const { steps } = await generateText(settings());
  const messages = steps.flatMap(({ response }) => response.messages);
  expect(traceFrom([{ role: 'user', content: 'What is it?' }, ...messages]).messages.slice(1)).toEqual(expected);
});

test('the messages of a page are a conversation', async () => {
  let page: UIMessage | undefined;
  const stream = streamText(settings()).toUIMessageStream();
  for await (const message of readUIMessageStream({ stream })) page = message;
  expect(traceFrom(page ? [page] : []).messages).toMatchObject([
    expected[0],
    expected[1],
    // The SDK hides errors from pages.
    { role: 'tool_result', tool_call_id: 'c2', name: 'fail', is_error: true },
    expected[3],
  ]);
});

test('a call that an agent passes on to the mocks counts once, its own tools count too', async () => {
  const run = await runScenario({
    trials: 1,
    scenario: {
      name: 'cat',
      prompt: 'What is it?',
      tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, mock_response: 'a cat' }],
      assertions: [
        { type: 'tool_called', tool: 'look', arguments: { at: 'it' }, times: 1 },
        { type: 'output_contains', value: 'A cat.' },
      ],
    },
    agent: ({ callTool }) => generateText(settings(async (args) => (await callTool('look', args)).content)),
  });
  expect(run.verdict).toBe('PASS');
  const { messages, tool_calls_made, input_tokens } = run.trials[0]?.trace ?? {};
  expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'tool_result', 'assistant']);
  expect(tool_calls_made?.map(({ name, result }) => [name, result])).toEqual([
    ['look', 'a cat'],
    ['fail', 'too dark'],
  ]);
  expect(input_tokens).toBe(20);
});

test('what the SDKs return may be returned as it is', () => {
  expectTypeOf<OpenAI.ChatCompletion>().toExtend<AgentReply>();
  expectTypeOf<OpenAI.Responses.Response>().toExtend<AgentReply>();
  expectTypeOf<OpenAI.ChatCompletionMessageParam[]>().toExtend<AgentReply>();
  expectTypeOf<Anthropic.Message>().toExtend<AgentReply>();
  expectTypeOf<Anthropic.MessageParam[]>().toExtend<AgentReply>();
  expectTypeOf<UIMessage[]>().toExtend<AgentReply>();
  expectTypeOf<ModelMessage[]>().toExtend<AgentReply>();
  expectTypeOf<{ answer: string }>().not.toExtend<AgentReply>();
});

import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentFunction, runScenario } from '../../packages/salvo/src/index.ts';

// Agents as in the README, on the real SDK: only its model is a mock.

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const inputSchema = z.object({ id: z.string() });

/** A model that cancels an order, and then says so. */
function model(input = '{"id":"A-1"}') {
  const rest = { usage, warnings: [] };
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'cancel_order', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        ...rest,
      },
      { content: [{ type: 'text', text: 'Cancelled.' }], finishReason: { unified: 'stop', raw: undefined }, ...rest },
    ],
  });
}

async function trialOf(agent: AgentFunction) {
  const { trials, exitCode } = await runScenario({
    scenario: {
      prompt: 'Cancel order A-1.',
      tools: [{ name: 'cancel_order', parameters: { type: 'object', required: ['id'] }, mock_response: 'cancelled' }],
      on_unmocked: 'fail',
      assertions: [{ type: 'tool_called', tool: 'cancel_order', arguments: { id: 'A-1' }, times: 1 }],
    },
    agent,
    trials: 1,
    env: {},
  });
  const [trial] = trials;
  return { ...trial, exitCode, calls: trial?.trace?.tool_calls_made };
}

const settings = (execute: (args: { id: string }) => unknown, input?: string) => ({
  model: model(input),
  prompt: 'Cancel order A-1.',
  stopWhen: stepCountIs(3),
  tools: { cancel_order: tool({ inputSchema, execute: async (args) => execute(args) }) },
});

test('an agent that runs its own tool bypasses the mock', async () => {
  const cancelled: string[] = [];
  const trial = await trialOf(() => generateText(settings(({ id }) => cancelled.push(id))));
  expect(cancelled).toEqual(['A-1']);
  expect(trial).toMatchObject({ status: 'unscored', exitCode: 3, error_code: 'MOCK_BYPASSED' });
});

test('an agent that returns only the text of it says nothing about its tools', async () => {
  const trial = await trialOf(async () => (await generateText(settings(() => 'done'))).text);
  expect(trial).toMatchObject({ status: 'unscored', exitCode: 3, error_code: 'TOOLS_UNKNOWN' });
});

test('with callTool, the mock answers, and its call is in the trace once', async () => {
  const trial = await trialOf(({ callTool }) => generateText(settings((args) => callTool('cancel_order', args))));
  expect(trial).toMatchObject({ status: 'passed', tools_seen: 'observed', calls: [{ seen: 'observed' }] });
});

test('a call that the SDK refuses for its arguments was requested, and bypasses nothing', async () => {
  const trial = await trialOf(() => generateText(settings(() => 'done', '{"order":"A-1"}')));
  expect(trial).toMatchObject({ status: 'failed', calls: [{ seen: 'requested', is_error: true }] });
});

test('a call that was denied was requested', async () => {
  const messages = [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'cancel_order', input: { id: 'A-1' } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'cancel_order',
          output: { type: 'execution-denied', reason: 'No.' },
        },
      ],
    },
    { role: 'assistant', content: 'I was not allowed to.' },
  ];
  expect(await trialOf(() => ({ messages }))).toMatchObject({ calls: [{ seen: 'requested' }], status: 'failed' });
});

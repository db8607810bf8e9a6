import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { agentFor, toolsFor } from '../../packages/salvo/src/ai-sdk.ts';
import { testSdk } from './sdk-cases.ts';
import type { RealTools } from './shop.ts';

const order = z.object({ id: z.string() });

const ownTools = (real: RealTools) => ({
  lookup_order: tool({ description: 'Looks up an order.', inputSchema: order, execute: real.lookup_order }),
  issue_refund: tool({ description: 'Refunds an order.', inputSchema: order, execute: real.issue_refund }),
  refund_policy: tool({ inputSchema: z.object({ country: z.string() }), execute: real.refund_policy }),
});

const modelAt = (url: string) =>
  createOpenAICompatible({ name: 'shop', baseURL: `${url}/v1`, includeUsage: true })('gpt-4o');
const stopWhen = stepCountIs(5);

testSdk({
  model: 'gpt-4o',
  streams: ['streamText'],
  own: {
    generateText: (url, real) => (task) =>
      generateText({
        model: modelAt(url),
        instructions: task.system,
        messages: task.messagesAs('ai-sdk'),
        tools: toolsFor(task, ownTools(real)),
        stopWhen,
        abortSignal: task.signal,
      }),
    ToolLoopAgent: (url, real) => {
      const agent = new ToolLoopAgent({ model: modelAt(url), instructions: 'Be brief.', tools: ownTools(real) });
      return (task) =>
        agentFor(task, agent).generate({ messages: task.messagesAs('ai-sdk'), abortSignal: task.signal });
    },
    streamText: (url, real) => (task) =>
      streamText({
        model: modelAt(url),
        instructions: task.system,
        messages: task.messagesAs('ai-sdk'),
        tools: toolsFor(task, ownTools(real)),
        stopWhen,
        abortSignal: task.signal,
      }),
  },
  scenario: (url) => (task) =>
    generateText({
      model: modelAt(url),
      instructions: task.system,
      messages: task.messagesAs('ai-sdk'),
      tools: toolsFor(task),
      stopWhen,
      abortSignal: task.signal,
    }),
});

// This stands for your own code: an agent with its tools. The script needs no key. With a model, write instead:
//   model: 'openai/gpt-6-luna'
import { Agent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const inputSchema = z.object({ order_id: z.string() });

async function realShop(): Promise<never> {
  throw new Error('A test must not come here.');
}

const tools = {
  lookup_order: createTool({ id: 'lookup_order', description: 'Looks up an order.', inputSchema, execute: realShop }),
  issue_refund: createTool({ id: 'issue_refund', description: 'Refunds an order.', inputSchema, execute: realShop }),
};

/** What models report beside their answer. */
const about = {
  usage: { inputTokens: 120, outputTokens: 12, totalTokens: 132 },
  response: { modelId: 'gpt-6-luna' },
  warnings: [],
};

/** It looks the order up, refunds it, and says so. */
const model = new MastraLanguageModelV2Mock({
  modelId: 'gpt-6-luna',
  doGenerate: async ({ prompt }) => {
    const toolName = ['lookup_order', 'issue_refund'][prompt.filter(({ role }) => role === 'tool').length];
    if (toolName === undefined) {
      const content = [{ type: 'text' as const, text: 'I refunded 49.90.' }];
      return { content, finishReason: 'stop', ...about };
    }
    const call = { type: 'tool-call' as const, toolCallId: toolName, toolName, input: '{"order_id":"A-1001"}' };
    return { content: [call], finishReason: 'tool-calls', ...about };
  },
});

export const support = new Agent({
  id: 'support',
  name: 'Support',
  instructions: 'You are the support agent of a shop.',
  model,
  tools,
});

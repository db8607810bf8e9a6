// This stands for your own code: an agent with its tools. The script needs no key. With a model, write instead:
//   import { openai } from '@ai-sdk/openai';
//   const model = openai('gpt-6-luna');
import { ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

const inputSchema = z.object({ order_id: z.string() });

async function realShop(): Promise<string> {
  throw new Error('A test must not come here.');
}

const tools = {
  lookup_order: tool({ description: 'Looks up an order.', inputSchema, execute: realShop }),
  issue_refund: tool({ description: 'Refunds an order.', inputSchema, execute: realShop }),
};

const usage = {
  inputTokens: { total: 120, noCache: 120, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 12, text: 12, reasoning: 0 },
};

/** It looks the order up, refunds it, and says so. */
const model = new MockLanguageModelV4({
  modelId: 'gpt-6-luna',
  doGenerate: async ({ prompt }) => {
    const toolName = ['lookup_order', 'issue_refund'][prompt.filter(({ role }) => role === 'tool').length];
    if (toolName === undefined) {
      const finishReason = { unified: 'stop' as const, raw: undefined };
      return { content: [{ type: 'text', text: 'I refunded 49.90.' }], finishReason, usage, warnings: [] };
    }
    const call = { type: 'tool-call' as const, toolCallId: toolName, toolName, input: '{"order_id":"A-1001"}' };
    return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
  },
});

export const support = new ToolLoopAgent({ model, instructions: 'You are the support agent of a shop.', tools });

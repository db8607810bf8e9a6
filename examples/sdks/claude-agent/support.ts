// This stands for your own code: options and tools. The model needs ANTHROPIC_API_KEY.
import { type Options, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const schema = { order_id: z.string() };

async function realShop(): Promise<never> {
  throw new Error('A test must not come here.');
}

export const tools = [
  tool('lookup_order', 'Looks up an order.', schema, realShop),
  tool('issue_refund', 'Refunds an order.', schema, realShop),
];

/** No tools of Claude Code, and nothing of the settings of this machine. */
export const options: Options = { model: 'claude-haiku-4-5', tools: [], settingSources: [] };

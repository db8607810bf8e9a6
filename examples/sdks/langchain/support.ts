// This stands for your own code: a model and tools. The script needs no key. With a model, write instead:
//   import { ChatOpenAI } from '@langchain/openai';
//   export const model = new ChatOpenAI({ model: 'gpt-6-luna' });
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

const schema = z.object({ order_id: z.string() });

async function realShop(): Promise<string> {
  throw new Error('A test must not come here.');
}

export const tools = [
  tool(realShop, { name: 'lookup_order', description: 'Looks up an order.', schema }),
  tool(realShop, { name: 'issue_refund', description: 'Refunds an order.', schema }),
];

/** What models report beside their answer. */
const about = {
  usage_metadata: { input_tokens: 120, output_tokens: 12, total_tokens: 132 },
  response_metadata: { model_name: 'gpt-6-luna' },
};

const call = (name: string) =>
  new AIMessage({ content: '', tool_calls: [{ id: name, name, args: { order_id: 'A-1001' } }], ...about });

/** It looks the order up, refunds it, and says so. A script is used up by one conversation, so each has its own. */
export function newModel() {
  const last = new AIMessage({ content: 'I refunded 49.90.', ...about });
  return fakeModel().respond(call('lookup_order')).respond(call('issue_refund')).respond(last);
}

// This stands for your own code: an agent with its tools. The model needs GEMINI_API_KEY.
import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const parameters = z.object({ order_id: z.string() });

async function realShop(): Promise<never> {
  throw new Error('A test must not come here.');
}

export const support = new LlmAgent({
  name: 'support',
  model: 'gemini-2.5-flash',
  instruction: 'You are the support agent of a shop. Be brief.',
  tools: [
    new FunctionTool({ name: 'lookup_order', description: 'Looks up an order.', parameters, execute: realShop }),
    new FunctionTool({ name: 'issue_refund', description: 'Refunds an order.', parameters, execute: realShop }),
  ],
});

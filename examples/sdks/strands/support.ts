// This stands for your own code: a model and tools. The model needs OPENAI_API_KEY.
import { tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';

const inputSchema = z.object({ order_id: z.string() });

async function realShop(): Promise<string> {
  throw new Error('A test must not come here.');
}

export const tools = [
  tool({ name: 'lookup_order', description: 'Looks up an order.', inputSchema, callback: realShop }),
  tool({ name: 'issue_refund', description: 'Refunds an order.', inputSchema, callback: realShop }),
];

export const model = new OpenAIModel({ modelId: 'gpt-6-luna' });

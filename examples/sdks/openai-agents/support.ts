// This stands for your own code: an agent with its tools. The script needs no key. With a model, write instead:
//   export const support = new Agent({ name: 'Support', model: 'gpt-6-luna', tools });
import { Agent, setTracingDisabled, tool, Usage } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { z } from 'zod';

setTracingDisabled(true);

const parameters = z.object({ order_id: z.string() });

async function realShop(): Promise<never> {
  throw new Error('A test must not come here.');
}

const tools = [
  tool({ name: 'lookup_order', description: 'Looks up an order.', parameters, execute: realShop }),
  tool({ name: 'issue_refund', description: 'Refunds an order.', parameters, execute: realShop }),
];

/** What models report beside their answer. */
const about = {
  usage: new Usage({ requests: 1, inputTokens: 120, outputTokens: 12, totalTokens: 132 }),
  providerData: { model: 'gpt-6-luna' },
};
const order = { order_id: 'A-1001' };

/** It looks the order up, refunds it, and says so. A script is used up by one conversation, so each has its own. */
export function newSupport() {
  const model = new ScriptedModel([
    { output: [functionCall('lookup_order', order, { callId: 'call_1' })], ...about },
    { output: [functionCall('issue_refund', order, { callId: 'call_2' })], ...about },
    { output: [assistantMessage('I refunded 49.90.')], ...about },
  ]);
  return new Agent({ name: 'Support', model, tools });
}

import { defineScenario } from 'salvo';
import { z } from 'zod';
import { openShop } from '../shop.ts';

export default defineScenario({
  name: 'refunds what was paid',
  data: [
    { name: 'kettle', order: 'A-1', amount: 49.9 },
    { name: 'cup', order: 'A-2', amount: 12 },
  ],
  prompt: 'Order {{order}} arrived broken. I want my money back.',

  // A shop of its own for every trial. The functions below find it in `hooks.trial`, with its type.
  setupTrial: () => openShop(),

  tools: [
    {
      name: 'look_up',
      effect: 'read',
      description: 'What was paid for an order.',
      parameters: z.object({ order: z.string() }),
      mock_response: ({ order }, { hooks }) => {
        const paid = hooks.trial.paid.get(order);
        if (paid === undefined) throw new Error(`There is no order ${order}.`); // the agent sees a tool error
        return { order, paid };
      },
    },
    {
      name: 'refund',
      effect: 'write',
      description: 'Pay back an amount.',
      parameters: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'number' } },
        required: ['order', 'amount'],
      },
      mock_response: ({ order, amount }, { hooks }) => {
        hooks.trial.refunds.push({ order, amount });
        return 'done';
      },
    },
  ],

  // A real agent calls a model. Without `agent`, the `adapter` is called, as in YAML.
  agent: async ({ messages, callTool }) => {
    const order = /A-\d+/.exec(messages.at(-1)?.content ?? '')?.[0] ?? '';
    const { content } = await callTool('look_up', { order });
    const { paid } = JSON.parse(content);
    await callTool('refund', { order, amount: paid });
    return { content: `We have paid back ${paid} euros.`, cost_usd: 0 };
  },

  assertions: [
    { type: 'tool_called', tool: 'refund', arguments: { order: '{{order}}', amount: '{{amount}}' }, required: true },
    { type: 'tool_sequence', sequence: ['look_up', 'refund'] },
    { type: 'output_matches', pattern: 'paid back' },
    { path: 'length(tool_calls[?is_error])', eq: 0 },
    function saysTheAmount({ output, row }) {
      return { passed: output.includes(String(row.amount)), details: output };
    },
    {
      id: 'one refund',
      check: ({ trace }) => trace.tool_calls_made.filter(({ name }) => name === 'refund').length === 1,
      weight: 2,
    },
  ],
});

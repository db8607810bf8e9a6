import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { agentFor, toolsFor } from '../../packages/salvo/src/openai-agents.ts';
import { testSdk } from './sdk-cases.ts';
import type { RealTools } from './shop.ts';

setTracingDisabled(true);

const parameters = z.object({ id: z.string() });

const ownTools = (real: RealTools) => [
  tool({ name: 'lookup_order', description: 'Looks up an order.', parameters, execute: real.lookup_order }),
  tool({ name: 'issue_refund', description: 'Refunds an order.', parameters, execute: real.issue_refund }),
  tool({
    name: 'refund_policy',
    description: 'When orders are refunded.',
    parameters: z.object({ country: z.string() }),
    execute: real.refund_policy,
  }),
];

const modelAt = (url: string) =>
  new OpenAIChatCompletionsModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), 'gpt-4o');

testSdk({
  model: 'gpt-4o',
  own: {
    'run()': (url, real) => {
      const agent = new Agent({ name: 'Support', model: modelAt(url), tools: ownTools(real) });
      return (task) => run(agentFor(task, agent), task.messagesAs('openai-agents'), { signal: task.signal });
    },
    'run() as a stream': (url, real) => {
      const agent = new Agent({ name: 'Support', model: modelAt(url), tools: ownTools(real) });
      return (task) => {
        return run(agentFor(task, agent), task.messagesAs('openai-agents'), { stream: true, signal: task.signal });
      };
    },
    'new Agent()': (url, real) => (task) => {
      const agent = new Agent({ name: 'Support', model: modelAt(url), tools: toolsFor(task, ownTools(real)) });
      return run(agent, task.messagesAs('openai-agents'), { signal: task.signal });
    },
  },
  scenario: (url) => (task) => {
    const agent = new Agent({ name: 'Support', model: modelAt(url), tools: toolsFor(task) });
    return run(agent, task.messagesAs('openai-agents'), { signal: task.signal });
  },
});

import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { agentFor, toolsFor } from '../../packages/salvo/src/mastra.ts';
import { testSdk } from './sdk-cases.ts';
import type { RealTools } from './shop.ts';

const inputSchema = z.object({ id: z.string() });

const ownTools = (real: RealTools) => ({
  lookup_order: createTool({ id: 'lookup_order', description: 'Looks up.', inputSchema, execute: real.lookup_order }),
  issue_refund: createTool({ id: 'issue_refund', description: 'Refunds.', inputSchema, execute: real.issue_refund }),
  refund_policy: createTool({
    id: 'refund_policy',
    description: 'When orders are refunded.',
    inputSchema: z.object({ country: z.string() }),
    execute: real.refund_policy,
  }),
});

const support = (url: string) => ({
  id: 'support',
  name: 'Support',
  instructions: 'Be brief.',
  model: { id: 'shop/gpt-4o' as const, url: `${url}/v1`, apiKey: 'none' },
  maxRetries: 0,
});

testSdk({
  model: 'gpt-4o',
  own: {
    'generate()': (url, real) => {
      const agent = new Agent({ ...support(url), tools: ownTools(real) });
      return (task) =>
        agentFor(task, agent).generate(task.messagesAs('ai-sdk'), { abortSignal: task.signal });
    },
    'stream()': (url, real) => {
      const agent = new Agent({ ...support(url), tools: ownTools(real) });
      return (task) => agentFor(task, agent).stream(task.messagesAs('ai-sdk'), { abortSignal: task.signal });
    },
  },
  scenario: (url) => (task) =>
    new Agent({ ...support(url), tools: toolsFor(task) }).generate(task.messagesAs('ai-sdk'), {
      abortSignal: task.signal,
    }),
});

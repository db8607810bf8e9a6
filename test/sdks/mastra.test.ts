import { LLMock } from '@copilotkit/aimock';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runScenario } from '../../packages/salvo/src/index.ts';
import { agentFor, toolsFor } from '../../packages/salvo/src/mastra.ts';
import { testSdk } from './sdk-cases.ts';
import { RealTools } from './shop.ts';

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
  streams: ['stream()'],
  // Mastra does not ask a server of this kind for them.
  lacking: { 'stream()': { tokens: null } },
  own: {
    'generate()': (url, real) => {
      const agent = new Agent({ ...support(url), tools: ownTools(real) });
      return (task) => agentFor(task, agent).generate(task.messagesAs('ai-sdk'), { abortSignal: task.signal });
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

test('a sub-agent has the mocks, too', async () => {
  const server = new LLMock({ port: 0, logLevel: 'silent' });
  const wants = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });
  // A sub-agent is told the instructions of the other one, too.
  server
    .on({ systemMessage: 'Obey.', hasToolResult: false }, wants('issue_refund', { id: 'A-1' }))
    .on({ systemMessage: 'Obey.', hasToolResult: true }, { content: 'Refunded.' })
    .on({ systemMessage: 'Delegate.', hasToolResult: false }, wants('agent-refunds', { prompt: 'Refund A-1.' }))
    .on({ systemMessage: 'Delegate.', hasToolResult: true }, { content: 'It is done.' });
  const { model } = support(await server.start());
  const real = new RealTools();
  const about = { id: 'refunds', name: 'Refunds', description: 'Refunds orders.' };
  const refunds = new Agent({ ...about, instructions: 'Obey.', model, tools: ownTools(real) });
  const agent = new Agent({ id: 'triage', name: 'Triage', instructions: 'Delegate.', model, agents: { refunds } });
  const { trials } = await runScenario({
    scenario: {
      prompt: 'Refund A-1.',
      tools: [{ name: 'issue_refund', parameters: { type: 'object' }, mock_response: 'refunded 49.90' }],
      assertions: [{ type: 'tool_called', tool: 'issue_refund', arguments: { id: 'A-1' } }],
    },
    agent: (task) => agentFor(task, agent).generate(task.messagesAs('ai-sdk')),
    trials: 1,
    env: {},
  });
  await server.stop();
  expect(real.done).toEqual([]);
  expect(trials).toMatchObject([{ status: 'passed', error_message: null }]);
});

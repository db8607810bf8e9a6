import { Agent, type MCPServer, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runScenario } from '../../packages/salvo/src/index.ts';
import { agentFor, toolsFor } from '../../packages/salvo/src/openai-agents.ts';
import { testSdk } from './sdk-cases.ts';
import { RealTools } from './shop.ts';

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
  streams: ['run() as a stream'],
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

const said = (text: string) => [assistantMessage(text)];
const wants = (name: string, args: object, callId: string) => [functionCall(name, { ...args }, { callId })];

/** Runs an agent whose colleague refunds an order, and gives what was really done. */
async function refundBy(begin: (refunds: Agent) => Agent, script: ConstructorParameters<typeof ScriptedModel>[0]) {
  const real = new RealTools();
  const refunds = new Agent({ name: 'Refunds', model: new ScriptedModel(script), tools: ownTools(real) });
  const agent = begin(refunds);
  const { trials } = await runScenario({
    scenario: {
      prompt: 'Refund A-1.',
      tools: [{ name: 'issue_refund', parameters: { type: 'object' }, mock_response: 'refunded 49.90' }],
      assertions: [{ type: 'tool_called', tool: 'issue_refund', arguments: { id: 'A-1' }, times: 1 }],
    },
    agent: (task) => run(agentFor(task, agent), task.messagesAs('openai-agents')),
    trials: 1,
    env: {},
  });
  return { real: real.done, trial: trials[0] };
}

const refundScript = [wants('issue_refund', { id: 'A-1' }, 'c2'), said('Refunded.')];

test('an agent to which the first one hands off has the mocks, too', async () => {
  const { real, trial } = await refundBy((refunds) => {
    const model = new ScriptedModel([wants('transfer_to_Refunds', {}, 'c1')]);
    return new Agent({ name: 'Triage', model, handoffs: [refunds] });
  }, refundScript);
  expect(real).toEqual([]);
  expect(trial).toMatchObject({ status: 'passed', error_message: null });
});

test('an agent that is a tool of the first one has the mocks, too', async () => {
  const { real, trial } = await refundBy((refunds) => {
    const model = new ScriptedModel([wants('ask_refunds', { input: 'A-1' }, 'c1'), said('It is done.')]);
    const tools = [refunds.asTool({ toolName: 'ask_refunds', toolDescription: 'Asks.' })];
    return new Agent({ name: 'Triage', model, tools });
  }, refundScript);
  expect(real).toEqual([]);
  expect(trial).toMatchObject({ status: 'passed', error_message: null });
});

test('a tool of an MCP server is mocked, and the agent itself stays as it is', async () => {
  const real: string[] = [];
  const called: string[] = [];
  const inputSchema = { type: 'object' as const, properties: {}, required: [], additionalProperties: false };
  const shop: MCPServer = {
    ...{ name: 'shop', cacheToolsList: false },
    ...{ connect: async () => {}, close: async () => {}, invalidateToolsCache: async () => {} },
    listTools: async () => [{ name: 'issue_refund', inputSchema }],
    callTool: async (name) => {
      real.push(name);
      return [{ type: 'text', text: 'done for real' }];
    },
  };
  const model = new ScriptedModel([...refundScript, ...refundScript]);
  const agent = new Agent({ name: 'Support', model, mcpServers: [shop] });
  const callTool = async (name: string) => {
    called.push(name);
    return { content: 'refunded', is_error: false };
  };
  const tools = [{ name: 'issue_refund', description: '', parameters: {} }];
  await run(agentFor({ tools, callTool }, agent), 'Refund A-1.');
  expect({ called, real }).toEqual({ called: ['issue_refund'], real: [] });
  await run(agent, 'Refund A-1.');
  expect({ called, real }).toEqual({ called: ['issue_refund'], real: ['issue_refund'] });
});

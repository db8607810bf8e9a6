import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { tool as aiTool, generateText, jsonSchema, stepCountIs } from 'ai';
import { AzureOpenAI } from 'openai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { completion } from '../../loopback/openai-wire.ts';
import { baseUrls, observedAgent, startModel, trialOf } from './observed-fixture.ts';

const lookup = ({ order_id }: { order_id: string }): string => (order_id === 'A-1001' ? 'paid' : 'no such order');

const AGENTS: Record<string, (baseURL: string) => Promise<unknown>> = {
  /** Returns its steps as well. */
  'the AI SDK': async (baseURL) => {
    const { text, steps } = await generateText({
      model: createOpenAICompatible({ name: 'shop', baseURL })('gpt-4o-mini'),
      prompt: 'Look up two orders.',
      tools: {
        lookup_order: aiTool({
          inputSchema: jsonSchema<{ order_id: string }>({
            type: 'object',
            properties: { order_id: { type: 'string' } },
          }),
          execute: async (input) => lookup(input),
        }),
      },
      stopWhen: stepCountIs(5),
    });
    return { text, steps };
  },
  'OpenAI Agents': async (baseURL) => {
    const agent = new Agent({
      name: 'Shop',
      model: 'gpt-4o-mini',
      tools: [
        tool({
          name: 'lookup_order',
          description: '',
          parameters: z.object({ order_id: z.string() }),
          execute: lookup,
        }),
      ],
    });
    const modelProvider = new OpenAIProvider({ apiKey: 'sk-observed-secret', baseURL });
    const result = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'Look up two orders.');
    return result.finalOutput;
  },
};

test.each([false, true])(
  "OpenAI's client for Azure is observed, also with its endpoint in code: %s",
  async (isInCode) => {
    const answer = completion({ content: 'Both were paid.' });
    await using server = await startAnsweringServer(({ headers, path }) => {
      expect(headers['api-key']).toBe('azure-secret-key');
      expect(path).toBe('/openai/deployments/shop/chat/completions?api-version=2024-10-21');
      return answer;
    });
    const env = { AZURE_OPENAI_ENDPOINT: server.url };
    const agent = observedAgent(env, async ({ bases }) => {
      const { AZURE_OPENAI_ENDPOINT: endpoint, OPENAI_BASE_URL: baseURL } = bases;
      vi.stubEnv('AZURE_OPENAI_ENDPOINT', endpoint);
      vi.stubEnv('OPENAI_BASE_URL', baseURL);
      const given = isInCode ? { endpoint } : {};
      const client = new AzureOpenAI({ ...given, apiKey: 'azure-secret-key', apiVersion: '2024-10-21' });
      const messages = [{ role: 'user' as const, content: 'Look up two orders.' }];
      return (await client.chat.completions.create({ model: 'shop', messages })).choices[0]?.message.content;
    });
    const { trace } = await trialOf({ agent, scenario: { assertions: [] } });
    vi.unstubAllEnvs();
    expect(trace.error).toBe(null);
    expect(trace).toMatchObject({ final_content: 'Both were paid.', observed: { by: 'model', model_calls: 1 } });
    expect(JSON.stringify(trace)).not.toContain('azure-secret-key');
  },
);

describe('an agent on', () => {
  test.each(Object.entries(AGENTS))('%s is observed, and no call is there twice', async (_, run) => {
    await using model = await startModel();
    const agent = observedAgent(baseUrls(model.url), ({ bases }) => run(bases.OPENAI_BASE_URL ?? ''));
    const { trace, trial } = await trialOf({ agent });
    expect(trace.error).toBe(null);
    expect(trial.status).toBe('passed');
    expect(trace.tool_calls_made.map(({ name, arguments: args, result, seen }) => [name, args, result, seen])).toEqual([
      ['lookup_order', { order_id: 'A-1001' }, 'paid', 'observed'],
      ['lookup_order', { order_id: 'B-2002' }, 'no such order', 'observed'],
    ]);
    expect(trace.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
    ]);
    expect(trace).toMatchObject({
      input_tokens: 200,
      output_tokens: 40,
      turn_count: 2,
      observed: { model_calls: 2, conversations: 1 },
    });
  });
});

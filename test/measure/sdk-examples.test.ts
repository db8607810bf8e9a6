import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import aiSdk from '../../examples/sdks/ai-sdk/agent.ts';
import langChain from '../../examples/sdks/langchain/agent.ts';
import mastra from '../../examples/sdks/mastra/agent.ts';
import openAiAgents from '../../examples/sdks/openai-agents/agent.ts';
import { type AgentFunction, runScenario } from '../../packages/salvo/src/index.ts';
import { sdkProject } from '../sdks/sdk-project.ts';

const AGENTS: Record<string, AgentFunction> = {
  'ai-sdk': aiSdk,
  langchain: langChain,
  mastra,
  'openai-agents': openAiAgents,
};

const scenario = parse(readFileSync(new URL('../../examples/sdks/scenarios/refund.yaml', import.meta.url), 'utf8'));

/** The lines of a user's agent: imports and code. */
function linesOf(name: string): string[] {
  const text = readFileSync(new URL(`../../examples/sdks/${name}/agent.ts`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => /\w/.test(line));
}

test.each(Object.entries(AGENTS))('the example %s passes without a key, and its cost is known', async (name, agent) => {
  // Two trials at the same time: a script is used up by one conversation.
  const { trials } = await runScenario({ scenario, agent, trials: 2, env: {} });
  expect(trials.map(({ status, error_message }) => [status, error_message])).toEqual(Array(2).fill(['passed', null]));
  expect(trials[0]?.trace).toMatchObject({ model: 'gpt-6-luna', input_tokens: 360, output_tokens: 36 });
  expect(trials[0]?.trace?.tool_calls_made).toMatchObject([
    { name: 'lookup_order', seen: 'observed' },
    { name: 'issue_refund', seen: 'observed' },
  ]);
  expect(trials[0]?.trace?.cost_usd).toBeGreaterThan(0);
  expect(linesOf(name).length).toBeLessThanOrEqual(10);
});

test.each(['fetch', 'gemini', 'python-exec'])(
  'the example %s runs without a key, from its cassette',
  async (adapter) => {
    await using project = await sdkProject();
    const { exitCode, output } = await project.run(['--adapter', adapter]);
    expect(output).toContain('3 of 3 trials passed');
    expect(output).toContain('replayed');
    expect(output).not.toContain('One at a time');
    expect(exitCode).toBe(0);
  },
);

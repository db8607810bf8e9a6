import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunScenarioOptions, runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import type { ScenarioDefinition } from '../../packages/salvo/src/scenario/code/scenario-definition.ts';

const AGENT = fileURLToPath(new URL('../fixtures/observed/agent.mjs', import.meta.url));
const mock = new LLMock({ port: 0, logLevel: 'silent', strict: true });

beforeAll(async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, input_tokens: 100, output_tokens: 20 };
  mock.on({ userMessage: 'two orders', hasToolResult: false }, {
    toolCalls: [
      { name: 'lookup_order', arguments: { order_id: 'A-1001' } },
      { name: 'lookup_order', arguments: { order_id: 'B-2002' } },
    ],
    usage,
  });
  mock.on({ userMessage: 'two orders', hasToolResult: true }, { content: 'One of them was paid.', usage });
  mock.on({ userMessage: 'Thanks' }, { content: 'You are welcome.', usage });
  await mock.start();
});
afterAll(() => mock.stop());

const env = () => ({
  PATH: process.env.PATH,
  OPENAI_BASE_URL: `${mock.url}/v1`,
  ANTHROPIC_BASE_URL: mock.url,
  GOOGLE_GEMINI_BASE_URL: mock.url,
});

const ADAPTERS = {
  program: { type: 'exec', command: [process.execPath, AGENT], observe: 'model' },
  module: { type: 'module', path: AGENT, observe: 'model' },
} as const;

async function observed(model: string, scenario: Partial<ScenarioDefinition> = {}, options: Partial<RunScenarioOptions> = {}) {
  const run = await runScenario({
    scenario: { name: 'orders', adapter: 'program', model, messages: [{ role: 'user', content: 'Look up two orders.' }], ...scenario },
    settings: { adapters: ADAPTERS },
    trials: 1,
    env: env(),
    ...options,
  });
  const [trial] = run.trials;
  if (!trial?.trace) throw new Error('There is no trial.');
  return { run, trial, trace: trial.trace };
}

describe('observe: model', () => {
  test.each(['chat', 'chat-stream', 'responses', 'responses-stream', 'messages', 'messages-stream', 'gemini', 'gemini-stream'])(
    'sees what an agent on %s does',
    async (model) => {
      const { trace, trial } = await observed(model);
      console.log(JSON.stringify(trace, null, 1).slice(0, 6000), trial.error_message);
      expect(trace.error).toBe(null);
    },
  );
});

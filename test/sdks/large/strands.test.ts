import { tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agentFor, testable } from '../../../examples/sdks/strands/agent.ts';
import { testSdk } from '../sdk-cases.ts';
import { expectShopTrace, RealTools, runShop } from '../shop.ts';
import { startShopModel } from '../shop-model.ts';

const order = z.object({ id: z.string() });
const country = z.object({ country: z.string() });

const ownTools = ({ lookup_order, issue_refund, refund_policy }: RealTools) => [
  tool({ name: 'lookup_order', description: 'Looks up.', inputSchema: order, callback: lookup_order }),
  tool({ name: 'issue_refund', description: 'Refunds.', inputSchema: order, callback: issue_refund }),
  tool({ name: 'refund_policy', description: 'When.', inputSchema: country, callback: refund_policy }),
];

const modelAt = (url: string) => {
  const clientConfig = { baseURL: `${url}/v1`, maxRetries: 0 };
  return new OpenAIModel({ modelId: 'gpt-4o', apiKey: 'none', clientConfig });
};

testSdk({
  model: 'gpt-4o',
  // Neither the events nor the result say which model answered.
  lacking: { 'stream()': { model: 'agent' } },
  streams: ['stream()'],
  own: {
    'invoke()': (url, real) => testable(modelAt(url), ownTools(real)),
    'stream()': (url, real) => (task) => {
      const { agent, asked } = agentFor(task, modelAt(url), ownTools(real));
      return agent.stream(asked, { cancelSignal: task.signal });
    },
  },
});

test('a result has all answers in its traces, and the mocks what the tools did', async () => {
  await using server = await startShopModel({ name: 'gpt-4o' });
  const trial = await runShop(
    (task) => {
      const { agent, asked } = agentFor(task, modelAt(server.url), ownTools(new RealTools()));
      return agent.invoke(asked, { cancelSignal: task.signal });
    },
    { policy: 'mocked' },
  );
  expect(trial).toMatchObject({ status: 'passed', error_message: null });
  expectShopTrace(trial.trace, { model: 'agent', policy: 'mocked' });
});

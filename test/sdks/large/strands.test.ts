import { tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { z } from 'zod';
import { testable } from '../../../examples/sdks/strands/agent.ts';
import { testSdk } from '../sdk-cases.ts';
import type { RealTools } from '../shop.ts';

const order = z.object({ id: z.string() });
const country = z.object({ country: z.string() });

const ownTools = ({ lookup_order, issue_refund, refund_policy }: RealTools) => [
  tool({ name: 'lookup_order', description: 'Looks up.', inputSchema: order, callback: lookup_order }),
  tool({ name: 'issue_refund', description: 'Refunds.', inputSchema: order, callback: issue_refund }),
  tool({ name: 'refund_policy', description: 'When.', inputSchema: country, callback: refund_policy }),
];

testSdk({
  model: 'gpt-4o',
  own: {
    'invoke()': (url, real) => {
      const clientConfig = { baseURL: `${url}/v1`, maxRetries: 0 };
      const model = new OpenAIModel({ modelId: 'gpt-4o', apiKey: 'none', clientConfig });
      return testable(model, ownTools(real));
    },
  },
});

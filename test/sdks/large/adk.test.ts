import { FunctionTool, Gemini, LlmAgent, LogLevel, StreamingMode, setLogLevel } from '@google/adk';
import { vi } from 'vitest';
import { z } from 'zod';
import { testable } from '../../../examples/sdks/adk/agent.ts';
import { testSdk } from '../sdk-cases.ts';
import type { RealTools } from '../shop.ts';

setLogLevel(LogLevel.ERROR);

const order = z.object({ id: z.string() });
const country = z.object({ country: z.string() });

const ownTools = ({ lookup_order, issue_refund, refund_policy }: RealTools) => [
  new FunctionTool({ name: 'lookup_order', description: 'Looks up.', parameters: order, execute: lookup_order }),
  new FunctionTool({ name: 'issue_refund', description: 'Refunds.', parameters: order, execute: issue_refund }),
  new FunctionTool({ name: 'refund_policy', description: 'When.', parameters: country, execute: refund_policy }),
];

const agentAt = (url: string, real: RealTools) => {
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', url);
  const model = new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' });
  return new LlmAgent({ name: 'support', model, instruction: 'Be brief.', tools: ownTools(real) });
};

testSdk({
  model: 'gemini-2.5-flash',
  resultText: (text) => (text.startsWith('{') ? text : JSON.stringify({ result: text })),
  streams: ['runAsync() with pieces'],
  own: {
    'runAsync()': (url, real) => testable(agentAt(url, real)),
    'runAsync() with pieces': (url, real) => testable(agentAt(url, real), { streamingMode: StreamingMode.SSE }),
  },
});

import { registerAdapter, registerEvaluator } from 'salvo';
import { z } from 'zod';

// An assertion type: `- { type: max_words, limit: 20 }`. `salvo validate` checks its fields with the schema.
registerEvaluator(
  'max_words',
  ({ limit }, trace) => {
    const words = trace.final_content?.split(/\s+/).filter(Boolean).length ?? 0;
    return { score: words <= limit ? 1 : 0, details: `${words} words, at most ${limit}` };
  },
  { schema: z.strictObject({ limit: z.int().positive() }) },
);

// An adapter: `adapter: parrot`. A real one would call a model here.
registerAdapter('parrot', () => ({
  providerName: () => 'parrot',
  sendTurn: async (messages) => ({
    content: `You said: ${messages.findLast(({ role }) => role === 'user')?.content ?? ''}`,
    tool_calls: [],
    finish_reason: 'stop',
    usage: null,
    cost_usd: 0,
    raw_response: null,
  }),
}));

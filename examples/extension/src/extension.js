import { registerAdapter, registerEvaluator } from 'salvo';
import { defineExtension } from 'salvo/kit/extension';
import { z } from 'zod';
import { greeting } from './greeting.js';

// An adapter: `adapter: hello`. A real one would call a model here.
registerAdapter('hello', () => ({
  providerName: () => 'hello',
  sendTurn: async () => ({
    ...{ content: `${greeting.word}, world!`, tool_calls: [], finish_reason: 'stop' },
    ...{ usage: null, cost_usd: 0, raw_response: null },
  }),
}));

// An assertion type: `- { type: greets, with: Hello }`. `salvo validate` checks its fields with the schema.
registerEvaluator(
  'greets',
  ({ with: word }, trace) => {
    const greets = trace.final_content?.startsWith(word) === true;
    return { score: greets ? 1 : 0, details: `the answer ${greets ? 'begins' : 'does not begin'} with ${word}` };
  },
  { schema: z.strictObject({ with: z.string().min(1) }) },
);

/** What is behind these doors is loaded when a command line, or `salvo schema`, needs it. */
export default defineExtension({
  name: 'salvo-hello',
  doors: {
    commands: async () => (await import('./commands.js')).commandsDoor,
    documents: async () => (await import('./documents.js')).documentsDoor,
  },
});

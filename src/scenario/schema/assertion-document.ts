import { z } from 'zod';
import { type Trace, traceSchema } from '../../trace/trace.ts';

const { shape } = traceSchema;

/** The document that the paths of assertions look into. `salvo validate` checks paths against it. */
export const assertionDocumentSchema = z.object({
  response: z.object({ content: shape.final_content, finish_reason: shape.finish_reason }),
  turns: shape.messages,
  tool_calls: shape.tool_calls_made,
  metadata: z.object({
    model: shape.model,
    provider: shape.provider,
    cost_usd: shape.cost_usd,
    latency_seconds: shape.latency_seconds,
    input_tokens: shape.input_tokens,
    output_tokens: shape.output_tokens,
    total_tokens: shape.total_tokens,
    turn_count: shape.turn_count,
    finish_reason: shape.finish_reason,
  }),
});

/** What an expression can query: the final answer, all messages in order, tool calls with their results, and numbers. */
export function assertionDocument(trace: Trace): z.infer<typeof assertionDocumentSchema> {
  const { model, provider, cost_usd, latency_seconds, input_tokens, output_tokens, total_tokens } = trace;
  const { turn_count, finish_reason } = trace;
  const tokens = { input_tokens, output_tokens, total_tokens };
  return {
    response: { content: trace.final_content, finish_reason },
    turns: trace.messages,
    tool_calls: trace.tool_calls_made,
    metadata: { model, provider, cost_usd, latency_seconds, ...tokens, turn_count, finish_reason },
  };
}

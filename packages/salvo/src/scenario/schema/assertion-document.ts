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

type AssertionDocument = z.infer<typeof assertionDocumentSchema>;

/** What an expression has read of a trace. Neither may have been seen. */
export interface ReadParts {
  /** The tool calls, or the steps between the question and the answer. */
  steps: boolean;
  toolCalls: boolean;
  /** Numbers that are unknown, by their names. */
  unknown: Set<string>;
}

/** The document of a trace, which notes what is read of it. */
export function watchedDocument(trace: Trace): { document: AssertionDocument; read: ReadParts } {
  const read: ReadParts = { steps: false, toolCalls: false, unknown: new Set() };
  const plain = assertionDocument(trace);
  const metadata = watch(plain.metadata, (key) => {
    if (key === 'turn_count') read.steps = true;
    if (Reflect.get(plain.metadata, key) === null) read.unknown.add(key);
  });
  const document = watch({ ...plain, metadata }, (key) => {
    if (key === 'turns' || key === 'tool_calls') read.steps = true;
    if (key === 'tool_calls') read.toolCalls = true;
  });
  return { document, read };
}

/** A proxy: objects with getters of their own are each of a new kind to V8, which frees them late. */
function watch<T extends object>(value: T, onRead: (key: string) => void): T {
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === 'string') onRead(key);
      return Reflect.get(target, key);
    },
  });
}

/**
 * What an expression can query: the final answer, all messages in order, tool calls with their results, and numbers.
 * @internal Exported for its tests.
 */
export function assertionDocument(trace: Trace): AssertionDocument {
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

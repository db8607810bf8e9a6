import fc from 'fast-check';
import type { Message } from '../packages/salvo/src/trace/message.ts';
import type { ToolCallRecord, Trace } from '../packages/salvo/src/trace/trace.ts';
import { sampleTrace } from './sample-trace.ts';

const text = fc.oneof(fc.constantFrom('', 'refund', 'a', 'search'), fc.string({ maxLength: 8 }));
const args = fc.dictionary(fc.constantFrom('id', 'name', 'query', 'length'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const call = fc.record(
  { id: text, name: text, arguments: args, raw_arguments: text },
  { requiredKeys: ['id', 'name', 'arguments'] },
);

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: text }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: fc.option(text),
      tool_calls: fc.array(call, { maxLength: 2 }),
      provider_state: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: ['role', 'content', 'tool_calls'] },
  ),
  fc.record({
    role: fc.constant('tool_result' as const),
    tool_call_id: text,
    name: text,
    content: text,
    is_error: fc.boolean(),
  }),
);

const record: fc.Arbitrary<ToolCallRecord> = fc.record({
  id: text,
  name: text,
  arguments: args,
  turn: fc.integer({ min: 1, max: 9 }),
  result: fc.option(text),
  is_error: fc.boolean(),
});

const tokens = fc.option(fc.nat(1000));

/** Traces of all shapes: without messages, without an answer, with unknown cost, with odd arguments. */
export const traceArbitrary: fc.Arbitrary<Trace> = fc
  .record({
    messages: fc.array(message, { maxLength: 4 }),
    tool_calls_made: fc.array(record, { maxLength: 3 }),
    turn_count: fc.nat(9),
    input_tokens: tokens,
    output_tokens: tokens,
    total_tokens: tokens,
    latency_seconds: fc.nat(100),
    final_content: fc.option(text),
    finish_reason: text,
    model: text,
    provider: text,
    cost_usd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map((changes) => sampleTrace(changes));

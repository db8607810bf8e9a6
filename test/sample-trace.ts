import { type ToolCallRecord, type Trace, traceSchema } from '../src/trace/trace.ts';

/** A trace of an agent that answered "Done." at once, but for what the test says. */
export function sampleTrace(changes: Partial<Trace> = {}): Trace {
  return traceSchema.parse({
    messages: [
      { role: 'user', content: 'Please.' },
      { role: 'assistant', content: 'Done.', tool_calls: [] },
    ],
    tool_calls_made: [],
    turn_count: 1,
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    latency_seconds: 1.5,
    final_content: 'Done.',
    finish_reason: 'stop',
    model: 'sample-model',
    provider: 'sample',
    timestamp: '2026-01-01T00:00:00.000Z',
    scenario_hash: 'hash',
    cost_usd: 0.01,
    max_turns_hit: false,
    tool_errors: [],
    ...changes,
  });
}

/** Tool calls in order, one per turn: a name, or a name with its arguments. */
export function sampleCalls(...calls: (string | [name: string, args: Record<string, unknown>])[]): ToolCallRecord[] {
  return calls.map((call, index) => {
    const [name, args] = typeof call === 'string' ? [call, {}] : call;
    return { id: `call-${index + 1}`, name, arguments: args, turn: index + 1, result: 'ok', is_error: false };
  });
}

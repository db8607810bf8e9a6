import type { ToolCallRecord, Trace } from '../packages/salvo/src/trace/trace.ts';

/** A trace of an agent that answered "Done." at once, with the changes that a test needs. */
export function sampleTrace(changes: Partial<Trace> = {}): Trace {
  return {
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
    retries: [],
    error: null,
    ...changes,
  };
}

/** A longer conversation: an agent that looked an order up, with a long system prompt that other traces share. */
export function sampleSupportTrace(changes: Partial<Trace> = {}): Trace {
  return sampleTrace({
    messages: [
      { role: 'system', content: 'You are a support agent of a shop. Be brief and polite. '.repeat(5) },
      { role: 'user', content: 'Where is my order?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'lookup', arguments: { order: 'A-1' } }] },
      { role: 'tool_result', tool_call_id: 'c1', name: 'lookup', content: '{"status":"lost"}', is_error: false },
      { role: 'assistant', content: 'It is lost.', tool_calls: [] },
    ],
    tool_calls_made: [
      { id: 'c1', name: 'lookup', arguments: { order: 'A-1' }, turn: 1, result: '{"status":"lost"}', is_error: false },
    ],
    turn_count: 2,
    input_tokens: 120,
    output_tokens: 20,
    total_tokens: 140,
    latency_seconds: 1.25,
    final_content: 'It is lost.',
    model: 'some-model',
    provider: 'scripted',
    scenario_hash: 'b3a1',
    cost_usd: null,
    tool_errors: [{ turn: 1, tool_call_id: 'c1', name: 'lookup', kind: 'mocked_error', message: 'not found' }],
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

import type { Trace } from '../../trace/trace.ts';

/** The least a trace can be: a task, if there was one, and the answer to it. */
export function labelledTrace({ response, task }: { response: string; task?: string | null | undefined }): Trace {
  return {
    messages: [...taskMessages(task), { role: 'assistant', content: response, tool_calls: [] }],
    tool_calls_made: [],
    turn_count: 1,
    input_tokens: null,
    output_tokens: null,
    total_tokens: null,
    latency_seconds: 0,
    final_content: response,
    finish_reason: 'stop',
    model: 'unknown',
    provider: 'labelled',
    timestamp: '1970-01-01T00:00:00.000Z',
    scenario_hash: '',
    cost_usd: null,
    max_turns_hit: false,
    tool_errors: [],
    retries: [],
    error: null,
  };
}

/** The trace, beginning with the task if it does not hold any word of a user itself. */
export function traceWithTask(trace: Trace, task: string | null | undefined): Trace {
  if (trace.messages.some(({ role }) => role === 'user')) return trace;
  return { ...trace, messages: [...taskMessages(task), ...trace.messages] };
}

function taskMessages(task: string | null | undefined): Trace['messages'] {
  return task ? [{ role: 'user', content: task }] : [];
}

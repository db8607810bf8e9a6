import { describe, expect, it } from 'vitest';
import { traceSchema } from './trace.ts';
import { traceFrom } from './trace-from.ts';

describe('traceFrom', () => {
  it('makes a trace of a task and the response to it', () => {
    const trace = traceFrom({ task: 'Say hello.', response: 'Hello.' });
    expect(traceSchema.parse(trace)).toEqual(trace);
    expect(trace).toMatchObject({
      messages: [
        { role: 'user', content: 'Say hello.' },
        { role: 'assistant', content: 'Hello.', tool_calls: [] },
      ],
      final_content: 'Hello.',
      turn_count: 1,
      cost_usd: null,
      total_tokens: null,
      tools_seen: 'unknown',
    });
  });

  it('needs no task', () => {
    for (const task of [undefined, null, '']) {
      expect(traceFrom({ task, response: 'Hello.' }).messages).toHaveLength(1);
    }
  });

  it('makes a trace of a conversation, with its tool calls and their results', () => {
    const trace = traceFrom([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Where is it?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', name: 'find', arguments: { what: 'it' } }] },
      { role: 'tool_result', tool_call_id: 'a', name: 'find', content: 'here' },
      { role: 'assistant', content: 'Here.' },
    ]);
    expect(traceSchema.parse(trace)).toEqual(trace);
    expect(trace).toMatchObject({ final_content: 'Here.', turn_count: 2, tools_seen: 'reported' });
    expect(trace.tool_calls_made).toEqual([
      { id: 'a', name: 'find', arguments: { what: 'it' }, turn: 1, result: 'here', is_error: false, seen: 'reported' },
    ]);
  });

  it('has no final response when the last turn of the agent has none', () => {
    expect(traceFrom([{ role: 'user', content: 'Hello?' }])).toMatchObject({ final_content: null, turn_count: 0 });
  });

  it('refuses what is not a conversation', () => {
    expect(() => traceFrom([{ role: 'robot', content: 'x' }])).toThrow(
      /^The messages are not valid:\n {2}messages\[0\]\.role: /,
    );
  });
});

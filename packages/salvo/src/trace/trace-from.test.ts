import { describe, expect, it } from 'vitest';
import { SalvoError } from '../text/errors/salvo-error.ts';
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

  it('has what the agent said last as its final response, also if the user or a tool has the last word', () => {
    const said = [
      { role: 'user', content: 'Where is it?' },
      { role: 'assistant', content: 'Here.' },
    ];
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'a', name: 'find', arguments: {} }] };
    const result = { role: 'tool_result', tool_call_id: 'a', name: 'find', content: 'here' };
    expect(traceFrom([...said, { role: 'user', content: 'Thanks.' }]).final_content).toBe('Here.');
    expect(traceFrom([{ ...call, content: 'I look.' }, result]).final_content).toBe('I look.');
    // The agent did not answer the last question, so an older answer does not count.
    expect(traceFrom([...said, { role: 'user', content: 'And now?' }, call, result]).final_content).toBeNull();
  });

  it('has a time only if what is given tells it', () => {
    const messages = [
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: 'Hello.' },
    ];
    expect(traceFrom(messages).latency_seconds).toBeNull();
    expect(traceFrom({ task: 'Say hello.', response: 'Hello.' }).latency_seconds).toBeNull();
    const told = { messages, latency_seconds: 2.5, timestamp: '2026-03-01T10:00:00.000Z' };
    expect(traceFrom(told)).toMatchObject({ latency_seconds: 2.5, timestamp: '2026-03-01T10:00:00.000Z' });
    const trace = traceFrom(told);
    expect(traceFrom(trace)).toEqual(trace);
  });

  it('counts the time before messages that are not of the user', () => {
    const at = (second: number, message: object) => ({ ...message, timestamp: `2026-03-01T10:00:${second}.000` });
    const messages = [
      at(10, { role: 'user', content: 'Hello?' }),
      at(12, { role: 'assistant', content: 'Hello.' }),
      at(40, { role: 'user', content: 'Bye.' }),
      at(43, { role: 'assistant', content: 'Bye.' }),
    ];
    expect(traceFrom(messages).latency_seconds).toBe(5);
    expect(traceFrom([...messages, { role: 'user', content: 'Still there?' }]).latency_seconds).toBeNull();
    expect(traceFrom(messages.toReversed()).latency_seconds).toBeNull();
  });

  it('refuses what is not a conversation', () => {
    for (const given of [null, 7, true, undefined, {}, []]) expect(() => traceFrom(given as never)).toThrow(SalvoError);
    expect(() => traceFrom('PK\u0003\u0004' as never)).toThrow('parse the file first');
    expect(() => traceFrom([{ role: 'robot', content: 'x' }])).toThrow(
      /^The messages are not valid:\n {2}messages\[0\]\.role: /,
    );
  });
});

describe('a stream', () => {
  async function* streamOf(...chunks: unknown[]) {
    yield* chunks;
  }
  const chunk = (content: string, finish_reason: string | null) => ({
    ...{ id: 'c1', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ delta: { content }, finish_reason }] },
  });

  it.each([
    ['of texts', streamOf('A ', 'cat.'), 'unknown'],
    ['of chunks', streamOf(chunk('A ', null), chunk('cat.', 'stop')), 'gpt-4o'],
    ['in a result', { fullStream: streamOf(), steps: [{ content: [{ type: 'text', text: 'A cat.' }] }] }, 'unknown'],
  ])('%s is read to its end', async (_, stream, model) => {
    expect(await traceFrom(stream)).toMatchObject({ final_content: 'A cat.', model });
  });

  it.each([
    ['nothing', streamOf(), 'the stream is empty'],
    ['half an answer', streamOf(chunk('A ', null)), 'the stream broke off'],
    ['an error', streamOf({ error: { message: 'overloaded' } }), 'overloaded'],
    ['numbers', streamOf(1, 2), 'expected a message'],
  ])('that has %s is refused', async (_, stream, problem) => {
    const error = await traceFrom(stream).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'TRACE_INVALID', message: expect.stringContaining(problem) });
  });
});

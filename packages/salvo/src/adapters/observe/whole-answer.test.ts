import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamEvents } from './stream-events.ts';
import { wholeAnswer } from './whole-answer.ts';

const APIS = ['chat', 'responses', 'messages', 'gemini'] as const;

describe('the events of a stream', () => {
  it('are read from server-sent events, whatever ends their lines', () => {
    expect(streamEvents('event: a\ndata: {"a":1}\n\ndata:{"b":2}\r\n\r\n: a comment\rdata: [DONE]\r\r')).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });

  it('may span several lines, and the last one may have no end', () => {
    expect(streamEvents('data: {"a":\ndata: 1}\n\ndata: {"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('are the entries of a list, as Gemini streams without alt=sse', () => {
    expect(streamEvents('[{"a":1},\n{"b":2}]')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each(['', 'data:', 'data: {"a"', '[{"a":1}', 'hello', '\u0000', `data: ${'['.repeat(100_000)}`])(
    'leave out what is no JSON object: %j',
    (text) => {
      expect(streamEvents(text)).toEqual([]);
    },
  );
});

describe('a streamed answer', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });

  it('is whole if its end came, also from servers that name no kind of chunk', () => {
    const events = [
      chunk({ content: 'Let me ' }),
      chunk({ content: 'look.' }, 'stop'),
      { choices: [], usage: { a: 1 } },
    ];
    expect(wholeAnswer('chat', events)).toMatchObject({
      error: null,
      answer: { usage: { a: 1 }, choices: [{ message: { content: 'Let me look.' }, finish_reason: 'stop' }] },
    });
  });

  it('that broke off is kept as far as it came', () => {
    expect(wholeAnswer('chat', [chunk({ content: 'Let me ' })])).toMatchObject({
      error: expect.stringContaining('the stream broke off'),
      answer: { choices: [{ message: { content: 'Let me ' } }] },
    });
  });

  it('says what the provider reported in it', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(wholeAnswer('messages', [error])).toEqual({ error: 'Overloaded', answer: null });
    const begun = { type: 'message_start', message: { role: 'assistant', content: [] } };
    expect(wholeAnswer('messages', [begun, error])).toMatchObject({
      error: 'Overloaded',
      answer: { role: 'assistant' },
    });
  });

  it.each(APIS)('of %s is never whole if nothing came, and never throws', (api) => {
    expect(wholeAnswer(api, [])).toEqual({ answer: null, error: 'the stream is empty' });
    const keys = fc.constantFrom(
      ...[
        'choices',
        'delta',
        'tool_calls',
        'function',
        'index',
        'type',
        'message',
        'item',
        'response',
        'content_block',
      ],
      ...['candidates', 'content', 'parts', 'usage', 'error', 'text', 'toString'],
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 0, -1, 'x', true, 'message_start', 'content_block_start', 'message_stop'),
        fc.constantFrom('content_block_delta', 'response.completed', 'response.output_item.done'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(fc.dictionary(keys, tree, { maxKeys: 5 }), { maxLength: 5 }), (events) => {
        // As they come, with ordinary objects.
        expect(wholeAnswer(api, JSON.parse(JSON.stringify(events)))).toHaveProperty('error');
      }),
    );
  });
});

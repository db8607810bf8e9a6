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
  it('of Anthropic has its blocks in order, with arguments from their pieces', () => {
    const events = [
      { type: 'message_start', message: { model: 'claude', usage: { input_tokens: 7, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'look', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"id":' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"A"}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ];
    expect(wholeAnswer('messages', events)).toEqual({
      error: null,
      isComplete: true,
      answer: {
        ...{
          role: 'assistant',
          model: 'claude',
          stop_reason: 'tool_use',
          usage: { input_tokens: 7, output_tokens: 9 },
        },
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 't', name: 'look', input: { id: 'A' } },
        ],
      },
    });
    expect(wholeAnswer('messages', events.slice(0, -1)).isComplete).toBe(false);
  });

  it('says what the provider reported in it', () => {
    const events = [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }];
    expect(wholeAnswer('messages', events)).toMatchObject({ error: 'Overloaded', answer: null, isComplete: false });
  });

  it.each(APIS)('of %s is never complete if nothing came, and never throws', (api) => {
    expect(wholeAnswer(api, [])).toEqual({ answer: null, isComplete: false, error: null });
    const keys = fc.constantFrom(
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
      'candidates',
      'content',
      'parts',
      'usage',
      'error',
      'text',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(
          null,
          0,
          -1,
          'x',
          true,
          'message_start',
          'content_block_start',
          'content_block_delta',
          'response.completed',
        ),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(fc.dictionary(keys, tree, { maxKeys: 5 }), { maxLength: 5 }), (events) => {
        expect(wholeAnswer(api, events)).toHaveProperty('isComplete');
      }),
    );
  });
});

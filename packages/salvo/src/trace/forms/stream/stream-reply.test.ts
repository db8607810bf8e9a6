import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormError } from '../form-error.ts';
import { readReply } from '../read-reply.ts';
import { StreamError } from './stream-error.ts';
import { streamReply } from './stream-reply.ts';

const whole = (chunks: unknown[]) => streamReply(chunks, { isPartial: false });
const partial = (chunks: unknown[]) => streamReply(chunks, { isPartial: true });
const messagesOf = (reply: unknown) => readReply(reply, 'call')?.conversation.messages;

const chat = (delta: object, finish_reason: string | null = null) => ({
  ...{ object: 'chat.completion.chunk', id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason }] },
});
const calls = (...tool_calls: object[]) => chat({ tool_calls });

describe('chunks of chat completions', () => {
  test('are joined by the index of each call, also if the calls are mixed', () => {
    const chunks = [
      chat({ role: 'assistant', content: 'Let ' }),
      chat({ content: 'me.', reasoning_content: 'hm' }),
      calls({ index: 0, id: 'c1', function: { name: 'look', arguments: '' } }),
      calls({ index: 1, id: 'c2', function: { name: 'fail', arguments: '{' } }),
      calls({ index: 0, function: { arguments: '{"at":"it"}' } }, { index: 1, function: { arguments: '}' } }),
      chat({}, 'tool_calls'),
      { object: 'chat.completion.chunk', id: 'a', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
    ];
    expect(messagesOf(whole(chunks))).toMatchObject([
      {
        content: 'Let me.',
        reasoning: 'hm',
        tool_calls: [
          { id: 'c1', name: 'look', arguments: { at: 'it' } },
          { id: 'c2', name: 'fail', arguments: {} },
        ],
        step: { input_tokens: 7, output_tokens: 3, model: 'm' },
      },
    ]);
  });

  test('of several completions are several answers', () => {
    const second = { ...chat({ content: 'Two.' }, 'stop'), id: 'b' };
    expect(messagesOf(whole([chat({ content: 'One.' }, 'stop'), second]))).toMatchObject([
      { content: 'One.' },
      { content: 'Two.' },
    ]);
  });
});

describe('streams of text', () => {
  test('are the text', () => {
    expect(whole(['A ', 'cat.'])).toBe('A cat.');
  });
});

describe('a stream of messages', () => {
  test('is the list of them', () => {
    const messages = [{ role: 'assistant', content: 'x' }];
    expect(whole(messages)).toEqual(messages);
  });

  test('of Strands holds the messages that were added', () => {
    const message = { role: 'assistant', content: [{ text: 'x' }] };
    expect(whole([{ type: 'beforeInvocationEvent' }, { type: 'messageAddedEvent', message }])).toEqual([message]);
  });
});

const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A c' } };
const started = { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 1 } } };

describe.each<[string, unknown[]]>([
  ['OpenAI', [chat({ content: 'A c' })]],
  ['Anthropic', [started, text]],
  ['Bedrock', [{ messageStart: { role: 'assistant' } }, { contentBlockDelta: { delta: { text: 'A c' } } }]],
  ['Gemini', [{ candidates: [{ content: { role: 'model', parts: [{ text: 'A c' }] } }] }]],
  ['the AI SDK', [{ type: 'start-step' }, { type: 'text-delta', id: 't', text: 'A c' }]],
  ['Responses', [{ type: 'response.output_item.done', item: { type: 'message', role: 'assistant', content: 'A c' } }]],
])('a stream of %s that breaks off', (_, chunks) => {
  test('is an error, and what was said can still be read', () => {
    expect(() => whole(chunks)).toThrow(StreamError);
    expect(() => whole(chunks)).toThrow('the stream broke off');
    expect(messagesOf(partial(chunks))).toMatchObject([{ role: 'assistant', content: 'A c' }]);
  });
});

test.each<[string, unknown[], string]>([
  [
    'Anthropic',
    [started, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }],
    'overloaded_error: busy',
  ],
  [
    'Responses',
    [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } }],
    'server_error: x',
  ],
  ['Responses', [{ type: 'response.created' }, { type: 'error', code: 'rate_limit', message: 'x' }], 'rate_limit: x'],
  ['Bedrock', [{ messageStart: {} }, { throttlingException: { message: 'slow' } }], 'throttlingException: slow'],
  ['the AI SDK', [{ type: 'start' }, { type: 'error', error: { message: 'busy' } }], 'busy'],
  ['the AI SDK', [{ type: 'start' }, { type: 'abort' }], 'it was aborted'],
])('an error within a stream of %s is an error of the stream', (_, chunks, message) => {
  expect(() => whole(chunks)).toThrow(StreamError);
  expect(() => whole(chunks)).toThrow(message);
});

test('an empty stream is refused', () => {
  expect(() => whole([])).toThrow(FormError);
});

const FIELDS = `type index delta message content_block candidates choices object id usage response item data event payload
  contentBlockDelta contentBlockStart messageStart messageStop metadata toolUse text tool_calls function content kwargs lc
  messages tool_call_chunks __proto__`;
const WORDS = `text-delta start finish tool-call content_block_start content_block_delta message_start message_delta error
  response.completed response.output_item.done run_item_stream_event messageAddedEvent chat.completion.chunk ai
  AIMessageChunk text assistant`;
const word = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.oneof(word(WORDS), word(WORDS), fc.string(), fc.integer(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(word(FIELDS), tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const chunk = fc.oneof(
  value,
  fc.record({ type: word(WORDS), index: fc.nat(2), delta: value, message: value, payload: value, item: value }),
  fc.record({ object: fc.constant('chat.completion.chunk'), choices: value }),
  fc.record({ contentBlockDelta: value, messageStop: value }),
);

test('any chunks are read, or refused: no other error is possible', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), fc.boolean(), (chunks, isPartial) => {
      try {
        readReply(streamReply(chunks, { isPartial }), 'call');
      } catch (error) {
        expect(error instanceof FormError || error instanceof StreamError ? null : error).toBeNull();
      }
    }),
    { numRuns: 2000 },
  );
});

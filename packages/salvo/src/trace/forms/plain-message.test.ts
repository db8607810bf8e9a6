import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { readPlainMessage } from './plain-message.ts';
import { readList } from './read-list.ts';

const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{"x":1}' } };

it.each<[string, object]>([
  ['a system prompt', { role: 'system', content: 'Be brief.' }],
  ['a question', { role: 'user', content: 'Where is it?', name: 'ann' }],
  ['an answer', { role: 'assistant', content: 'There.', refusal: null, annotations: [], audio: null }],
  ['calls', { role: 'assistant', content: null, tool_calls: [call] }],
  ['a result', { role: 'tool', tool_call_id: 'c', content: 'found' }],
  [
    'an answer in the log of a benchmark',
    { role: 'assistant', content: 'Hi', tool_calls: null, turn_idx: 0, cost: 0.1, usage: { prompt_tokens: 1 } },
  ],
  [
    'calls in the log of a benchmark',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', name: 'look', arguments: {}, requestor: 'assistant' }],
    },
  ],
  [
    'a result in the log of a benchmark',
    { id: 'c', role: 'tool', content: 'found', requestor: 'assistant', error: false },
  ],
])('reads %s without the schemas of all forms', (_, message) => {
  expect(readPlainMessage({ ...message }, new Conversation('call'))).toBe(true);
});

/** Values of the right type and of others, for all fields that some reader looks at. */
const value = fc.oneof(
  fc.constantFrom(null, '', 'text', 'c', true, false, 0, 3, -1, Number.MAX_VALUE, [], {}),
  fc.constant([call]),
  fc.constant([{ ...call, id: undefined }]),
  fc.constant([{ id: 'c', name: 'look', args: { y: 2 } }]),
  fc.constant([{ id: 'd', name: '', arguments: '{' }]),
  fc.constant([{ id: 'e', custom: { name: 'own', input: 'z' } }]),
  fc.constant([{ type: 'text', text: 'part' }]),
  fc.constant({ prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } }),
  fc.constant({ input_tokens: 3, output_tokens: -4 }),
  fc.constant({ input_tokens: 3, output_tokens: 4, prompt_tokens_details: 5 }),
  fc.constant({ input_tokens: 3, output_tokens: 4, cached_tokens_details: { words: 'x' } }),
  fc.constant({ parts: [{ text: 'part' }] }),
);
const NAMES = [
  ...[
    'content',
    'content',
    'content',
    'tool_calls',
    'tool_call_id',
    'name',
    'usage',
    'id',
    'error',
    'refusal',
    'audio',
  ],
  ...[
    'function_call',
    'annotations',
    'timestamp',
    'cost',
    'requestor',
    'reasoning',
    'files',
    'type',
    'message',
    'parts',
  ],
  ...['author', 'kind', 'data', 'lc', 'output', 'choices', 'object', 'is_error', 'agent', 'step', 'metadata', 'args'],
];
const message = fc
  .tuple(
    fc.constantFrom('system', 'developer', 'user', 'assistant', 'assistant', 'tool', 'function'),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 4 }),
  )
  .map(([role, fields]) => ({ role, content: 'said', ...Object.fromEntries(fields) }));

function readAll(messages: readonly object[]): unknown {
  const conversation = new Conversation('call');
  try {
    readList([{ role: 'assistant', content: null, tool_calls: [call] }, ...messages], conversation, 'messages');
    const { messages: read, openCalls, finishReason, model } = conversation;
    return { read, openCalls, finishReason, model, usage: conversation.usageAfter(0) };
  } catch (error) {
    return String(error);
  }
}

it('reads what the checks of all forms read', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), (messages) => {
      // No reader looks at this field, but a message with it is not a plain one.
      const unusual = messages.map((each) => ({ ...each, of_nobody: 1 }));
      expect(readAll(messages)).toEqual(readAll(unusual));
    }),
    { numRuns: 1000 },
  );
});

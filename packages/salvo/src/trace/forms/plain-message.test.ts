import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { readPlainMessage } from './plain-message.ts';
import { readList } from './read-list.ts';
import { plainUsage } from './usage.ts';

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

const usually = <Value>(value: fc.Arbitrary<Value>, ...others: Value[]) =>
  fc.oneof({ weight: 9, arbitrary: value }, fc.constantFrom(...others));
const figure = usually<unknown>(fc.constantFrom(0, 3, 4, null), -1, Number.POSITIVE_INFINITY, 'text');
const details = fc.oneof(fc.record({ cached_tokens: figure, words: figure }, { requiredKeys: [] }), figure);
const usage = fc.record(
  {
    ...{ prompt_tokens: figure, completion_tokens: figure, cache_read_input_tokens: figure },
    ...{ prompt_tokens_details: details, of_others_details: details, of_others: details },
  },
  { requiredKeys: [] },
);
const text = usually<unknown>(fc.constantFrom('text', 'c'), '', null, 5);
const toolCall = fc.record(
  {
    ...{ id: text, name: text, arguments: fc.constantFrom('{"x":1}', '{', '', { y: 2 }, null), args: text },
    ...{ raw_arguments: text, type: fc.constant('function'), custom: fc.constant({ name: 'own', input: 'z' }) },
    function: fc.oneof(fc.record({ name: text, arguments: text }, { requiredKeys: [] }), text),
  },
  { requiredKeys: [] },
);
const content = fc.oneof(fc.constantFrom('said', '', null, 5, {}), fc.constant([{ type: 'text', text: 'part' }]));
/** The fields that a plain message may have, and others that readers look at, with values of the right type and others. */
const FIELDS = {
  ...{ content, usage: fc.oneof(usage, text), tool_calls: fc.oneof(fc.array(toolCall, { maxLength: 2 }), text) },
  ...{ tool_call_id: text, id: text, name: text, refusal: text, timestamp: text, cost: figure, annotations: text },
  error: fc.constantFrom(true, false, null, 'broken', ''),
  audio: fc.constantFrom(null, { transcript: 'spoken' }, 'x'),
  function_call: fc.constantFrom(null, { name: 'old', arguments: '{}' }, 'x'),
};
const OTHERS = {
  ...{
    is_error: fc.boolean(),
    reasoning: text,
    agent: text,
    type: fc.constantFrom('user', 'message', 'function_call'),
  },
  ...{ files: fc.constant([]), parts: fc.constant([{ text: 'part' }]), output: text, toolInvocations: fc.constant([]) },
};
const message = fc
  .tuple(
    fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'assistant', 'tool', 'tool', 'developer') }),
    fc.subarray(Object.keys(FIELDS), { maxLength: 3 }),
    fc.record({ ...FIELDS, content: fc.oneof(fc.constant('said'), content) }),
    fc.tuple(fc.subarray(Object.keys(OTHERS), { maxLength: 1 }), fc.record(OTHERS)),
  )
  .map(([role, names, fields, [otherNames, others]]) => {
    const chosen = Object.entries({ ...fields, ...others }).filter(
      ([name]) => names.includes(name) || otherNames.includes(name),
    );
    return { ...role, content: 'said', ...Object.fromEntries(chosen) };
  });

function readAll(messages: readonly object[]): unknown {
  const conversation = new Conversation('call');
  try {
    readList(
      [{ role: 'assistant', content: null, tool_calls: [{ ...call, id: 'b' }, call] }, ...messages],
      conversation,
      'messages',
    );
    const { messages: read, openCalls, finishReason, model } = conversation;
    return { read, openCalls, finishReason, model, usage: conversation.usageAfter(0) };
  } catch (error) {
    return String(error);
  }
}

it('reads what the checks of all forms read', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 2 }), (messages) => {
      // No reader looks at this field, but a message with it is not a plain one.
      const unusual = messages.map((each) => ({ ...each, of_nobody: 1 }));
      expect(readAll(messages)).toEqual(readAll(unusual));
    }),
    { numRuns: 1000 },
  );
});

it.each([
  { input_tokens: -1 },
  { input_tokens: Number.POSITIVE_INFINITY },
  { input_tokens: '1' },
  { x_details: 1 },
  [],
])('leaves the usage %j to the schema', (given) => expect(plainUsage(given)).toBeUndefined());

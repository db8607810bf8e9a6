import { expect, test } from 'vitest';
import { llamaHistory } from './llama-history.ts';

test('all a model did between two user messages is one item', () => {
  const history = llamaHistory([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [
        { id: 'a', name: 'look', arguments: { at: 1 } },
        { id: 'b', name: 'look', arguments: {} },
      ],
      provider_state: { llama: { raw_calls: ['raw a', null] } },
    },
    { role: 'tool_result', tool_call_id: 'b', name: 'look', content: 'gone', is_error: true },
    { role: 'tool_result', tool_call_id: 'a', name: 'look', content: 'a cat', is_error: false },
    { role: 'assistant', content: 'A cat.', tool_calls: [] },
    { role: 'user', content: 'And?' },
  ]);
  expect(history).toEqual([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Hi' },
    {
      type: 'model',
      response: [
        'Looking.',
        {
          type: 'functionCall',
          name: 'look',
          params: { at: 1 },
          result: 'a cat',
          rawCall: 'raw a',
          startsNewChunk: true,
        },
        { type: 'functionCall', name: 'look', params: {}, result: { error: 'gone' }, startsNewChunk: false },
        'A cat.',
      ],
    },
    { type: 'user', text: 'And?' },
    { type: 'model', response: [] },
  ]);
});

test('after tool results the same item is continued', () => {
  const history = llamaHistory([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', name: 'look', arguments: {} }] },
    { role: 'tool_result', tool_call_id: 'a', name: 'look', content: 'a cat', is_error: false },
  ]);
  expect(history.map(({ type }) => type)).toEqual(['user', 'model']);
});

test('an empty conversation still ends with an item for the answer', () => {
  expect(llamaHistory([])).toEqual([{ type: 'model', response: [] }]);
});

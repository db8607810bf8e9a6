import { expect, it } from 'vitest';
import type { Assertion } from '../../../scenario/schema/assertion-schema.ts';
import { demandText } from './demand-text.ts';

it.each<[Record<string, unknown>, string | null]>([
  [
    { type: 'jmespath', expression: 'metadata.turn_count', operator: 'lte', value: 4 },
    'metadata.turn_count is at most 4',
  ],
  [
    { type: 'jmespath', expression: 'response.content', operator: 'regex', value: 'a+' },
    'response.content matches /a+/',
  ],
  [{ type: 'jmespath', expression: 'response.content', operator: 'exists' }, 'response.content has a value'],
  [{ type: 'tool_called', tool: 'look' }, 'look is called at least once'],
  [{ type: 'tool_called', tool: 'look', times: 0 }, 'look is never called'],
  [{ type: 'tool_called', tool: 'look', times: { max: 3 } }, 'look is called 1 to 3 times'],
  [{ type: 'tool_called', tool: 'look', times: { max: 0 } }, 'look is never called'],
  [{ type: 'tool_called', tool: 'look', times: { min: 2 } }, 'look is called at least 2 times'],
  [{ type: 'tool_not_called', tool: 'pay', arguments: { amount: 5 } }, 'pay is never called with {"amount":5}'],
  [
    { type: 'tool_not_called', tool: 'pay', arguments: 'amount > `5`' },
    'pay is never called with arguments where amount > `5`',
  ],
  [{ type: 'tool_sequence', sequence: ['a', 'b'], mode: 'exact' }, 'exactly these calls, in this order: a, b'],
  [
    { type: 'output_contains', value: ['a', 'b'], case_sensitive: false },
    'the answer contains "a" and "b", in upper or lower case',
  ],
  [{ type: 'output_not_contains', value: ['a', 'b'], case_sensitive: true }, 'the answer does not contain "a" or "b"'],
  [
    { type: 'tool_sequence', sequence: ['a', { tool: 'b', arguments: { id: 1 } }], mode: 'same' },
    'exactly these calls, in any order: a, b {"id":1}',
  ],
  [{ type: 'tool_sequence', sequence: ['a'], mode: 'only' }, 'no other calls than these: a'],
  [{ type: 'output_matches', pattern: 'a', turn: 2 }, 'the answer in turn 2 matches /a/'],
  [{ type: 'output_json', turn: 'every' }, 'every answer is JSON'],
  [
    { type: 'jmespath', expression: 'response.content', operator: 'exists', turn: 'any' },
    'response.content has a value, in any turn',
  ],
  [{ type: 'judge', criteria: [{ name: 'a', description: 'b' }], turn: 1 }, 'the judge passes the answer in turn 1'],
  [
    { type: 'conversation_ended', max_messages: 3 },
    'the user ends the conversation after at most 3 messages of the user',
  ],
  [{ type: 'conversation_ended', by: 'limit' }, 'a limit ends the conversation'],
  [{ type: 'of_a_plugin' }, null],
])('%o demands: %s', (fields, text) => {
  expect(demandText({ weight: 1, required: false, ...fields } as Assertion)).toBe(text);
});

import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../test/import-reader.ts';
import { messageListFormat } from './message-list.ts';

const lines = [
  { conversation_id: 'a', role: 'user', content: 'Hi', timestamp: '2026-01-01T00:00:00Z', passed: true },
  { conversation_id: 'b', role: 'user', content: 'Hello' },
  { conversation_id: 'a', role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'look', arguments: {} }] },
  { conversation_id: 'a', role: 'tool', tool_call_id: 'c1', content: 'seen' },
];

describe('messages with the id of their conversation', () => {
  it('are parts of the conversations that they name', () => {
    const parts = lines.flatMap((value, index) => [...(messageListFormat.partsOf?.({ value, line: index + 1 }) ?? [])]);
    expect(parts.map(({ key, part }) => [key, part.line])).toEqual([
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['a', 4],
    ]);
  });

  it('are one conversation together', () => {
    const read = readValues(messageListFormat, lines[0], lines[2], lines[3]);
    expect(read).toMatchObject([
      {
        id: 'a',
        given: { passed: true },
        trace: { timestamp: '2026-01-01T00:00:00.000Z', tool_calls_made: [{ name: 'look', result: 'seen' }] },
      },
    ]);
  });

  it('are recognised only by a role and an id', () => {
    expect(messageListFormat.recognises(lines[0])).toBe(true);
    for (const value of [
      { role: 'user', content: 'x' },
      { conversation_id: 'a' },
      { conversation_id: 'a', messages: [] },
      [],
      null,
    ]) {
      expect(messageListFormat.recognises(value)).toBe(false);
    }
    expect(readValue(messageListFormat, lines[1]).trace.messages).toHaveLength(1);
  });

  it('survive damage in every place', () => {
    expect(expectToSurviveDamage(messageListFormat, lines[2])).toBeGreaterThan(10);
  });
});

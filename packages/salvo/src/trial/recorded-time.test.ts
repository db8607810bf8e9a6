import { describe, expect, test } from 'vitest';
import { recordedTime } from './recorded-time.ts';

const STARTED = Date.parse('2026-03-01T10:00:00.000Z');
const messages = [
  { role: 'user' as const, content: 'Hello?' },
  { role: 'assistant' as const, content: 'Hello.', tool_calls: [] },
];
const timeOf = (reply: object, row: object = {}, trace: object = {}) =>
  recordedTime({ raw_response: reply, trace: { messages, ...trace } }, { row, started: STARTED });
const unknown = { latency_seconds: null, timestamp: null };

describe('the time of a conversation', () => {
  test('is measured if the agent held it now', () => {
    expect(timeOf({ messages })).toBeNull();
    expect(timeOf({ messages }, { question: 'Hello?', answer: 'Hello.' })).toBeNull();
    expect(timeOf({ messages }, {}, { latency_seconds: 2, timestamp: '2026-03-01T10:00:01.000Z' })).toBeNull();
    expect(recordedTime({ raw_response: null, trace: undefined }, { row: {}, started: STARTED })).toBeNull();
  });

  test.each<[string, object, object]>([
    ['the row itself', { messages, id: 7 }, { id: 7, messages }],
    ['a part of the row', messages, { runs: [[], messages] }],
    ['its messages', { messages, note: 'by hand' }, { traj: messages }],
    ['JSON in a column', { messages }, { log: JSON.stringify(messages) }],
  ])('is unknown if it is %s', (_, reply, row) => {
    expect(timeOf(reply, row)).toEqual(unknown);
  });

  test('is what the conversation says, if it is older than the trial or says how long it took', () => {
    const timestamp = '2026-02-28T10:00:00.000Z';
    expect(timeOf({ messages }, {}, { latency_seconds: 2, timestamp })).toEqual({ latency_seconds: 2, timestamp });
    expect(timeOf({ messages, latency_seconds: 3 }, {}, { latency_seconds: 3 })).toMatchObject({ latency_seconds: 3 });
    expect(timeOf({ messages, latency_seconds: null })).toEqual(unknown);
  });
});

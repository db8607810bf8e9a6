import { describe, expect, test } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';
import { eventAt, placeAddress, textsOf, traceEvents } from './trace-events.ts';

function message(index: number, change: Partial<MessageView>): MessageView {
  return {
    index,
    role: 'assistant',
    turn: 1,
    content: null,
    files: [],
    reasoning: null,
    agent: null,
    step: null,
    simulated: false,
    tool_calls: [],
    tool: null,
    ...change,
  };
}

const shown = (text: string) => ({ text, full_length: text.length });
const call = (id: string, name = 'lookup') => ({ id, name, arguments: shown('{}'), error: null, mark: null });
const result = (index: number, call_id: string) =>
  message(index, {
    role: 'tool_result',
    content: shown(`result ${index}`),
    tool: { call_id, name: 'lookup', is_error: false },
  });

function head(change: Partial<TraceHead> = {}): TraceHead {
  const { messages: _, tool_calls_made: __, final_content: ___, ...rest } = sampleTrace();
  return {
    ...rest,
    environment: null,
    state: null,
    steps: [],
    trace_id: 't',
    message_count: 0,
    retries: [],
    error: null,
    turn_count: 1,
    ...change,
  };
}

const kinds = (messages: MessageView[], change?: Partial<TraceHead>) =>
  traceEvents(messages, head(change)).map(({ kind, key }) => `${kind} ${key}`);

describe('the events of a trace', () => {
  test('a message with text and calls is its text, and one event for each call', () => {
    const messages = [message(0, { role: 'user', turn: 0, content: shown('Hello') })];
    messages.push(message(1, { content: shown('I look'), tool_calls: [call('a'), call('b')] }));
    expect(kinds(messages)).toEqual(['user m0', 'agent m1', 'tool m1c0', 'tool m1c1']);
  });

  test('a message without text is only its calls, and one without anything is still an event', () => {
    expect(kinds([message(0, { tool_calls: [call('a')] }), message(1, {})])).toEqual(['tool m0c0', 'agent m1']);
  });

  test('a result belongs to the first call before it that has its id and no result yet', () => {
    const events = traceEvents(
      [message(0, { tool_calls: [call('same'), call('same')] }), result(1, 'same'), result(2, 'same')],
      head(),
    );
    expect(events.map((event) => (event.kind === 'tool' ? event.result?.index : null))).toEqual([1, 2]);
  });

  test('a result without a call is an event of its own', () => {
    expect(kinds([result(0, 'nobody')])).toEqual(['tool m0']);
  });

  test('how it ended comes last, and only when all messages are there', () => {
    const end = { error: 'The agent crashed.', agent_log: 'printed', message_count: 1 };
    expect(kinds([], end)).toEqual([]);
    expect(kinds([message(0, {})], end)).toEqual(['agent m0', 'print print', 'error error']);
  });
});

test('an address leads to its event: a message, a call in it, or the result of a call', () => {
  const messages = [message(0, { content: shown('I look'), tool_calls: [call('a'), call('b')] }), result(1, 'b')];
  const events = traceEvents(messages, head());
  const second = placeAddress({ kind: 'call', message: 0, call: 1, number: 2, name: 'lookup', meaning: 'found' });
  expect(second).toBe('1.2');
  expect(['1', second, '2', '9', 'x'].map((address) => eventAt(events, address))).toEqual([0, 2, 2, -1, -1]);
});

test('a search finds the name, the arguments and the result of a call', () => {
  const [event] = traceEvents([message(0, { tool_calls: [call('a', 'refund')] }), result(1, 'a')], head());
  expect(event && textsOf(event)).toEqual(['refund', '{}', 'result 1']);
});

import { expect, test } from 'vitest';
import type { Message } from './message.ts';
import { toolCallsOf } from './tool-calls-of.ts';

const asks = (...ids: string[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, name: `tool-${id}`, arguments: { of: id } })),
});
const answers = (id: string, content: string, is_error = false): Message => ({
  role: 'tool_result',
  tool_call_id: id,
  name: `tool-${id}`,
  content,
  is_error,
});

test('every call of a conversation is listed in order, with its turn and its result', () => {
  const calls = toolCallsOf([
    { role: 'user', content: 'Please.' },
    asks('a', 'b'),
    answers('b', 'second', true),
    answers('a', 'first'),
    asks('c'),
    answers('c', 'third'),
    { role: 'assistant', content: 'Done.', tool_calls: [] },
  ]);
  expect(calls).toEqual([
    { id: 'a', name: 'tool-a', arguments: { of: 'a' }, turn: 1, result: 'first', is_error: false, seen: 'reported' },
    { id: 'b', name: 'tool-b', arguments: { of: 'b' }, turn: 1, result: 'second', is_error: true, seen: 'reported' },
    { id: 'c', name: 'tool-c', arguments: { of: 'c' }, turn: 2, result: 'third', is_error: false, seen: 'reported' },
  ]);
});

test('a call that was never answered has no result', () => {
  expect(toolCallsOf([asks('a')])).toMatchObject([{ id: 'a', result: null, is_error: false }]);
});

test('where an id comes twice, each result belongs to the call before it', () => {
  const calls = toolCallsOf([asks('a'), answers('a', 'first'), asks('a'), answers('a', 'second')]);
  expect(calls.map(({ turn, result }) => [turn, result])).toEqual([
    [1, 'first'],
    [2, 'second'],
  ]);
});

test('a result without a call belongs to no call', () => {
  expect(toolCallsOf([answers('x', 'lost'), asks('a'), answers('y', 'lost')])).toMatchObject([
    { id: 'a', result: null },
  ]);
});

test('a call without a result, and one that was refused, was only requested', () => {
  const refusal = (id: string, content: string, refused?: boolean): Message => ({
    role: 'tool_result',
    tool_call_id: id,
    name: `tool-${id}`,
    content,
    is_error: false,
    ...(refused === undefined ? {} : { refused }),
  });
  const calls = toolCallsOf([
    asks('a', 'b', 'c', 'd'),
    answers('a', 'first'),
    refusal('b', 'Not now.', true),
    refusal('c', 'Tool execution was not approved.'),
  ]);
  expect(calls.map(({ seen }) => seen)).toEqual(['reported', 'requested', 'requested', 'requested']);
});

test('a call that names a sub-agent is marked: its own calls are hidden', () => {
  const call = (name: string, args: Record<string, unknown>): Message => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: name, name, arguments: args }],
  });
  const calls = toolCallsOf([
    call('Task', { subagent_type: 'refunds', prompt: 'Refund it.' }),
    call('agent-refunds', { prompt: 'Refund it.' }),
    call('look_up', { prompt: 'x' }),
  ]);
  expect(calls.map(({ agent }) => agent)).toEqual([true, true, undefined]);
});

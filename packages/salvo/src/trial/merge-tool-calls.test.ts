import { expect, test } from 'vitest';
import type { ToolCallRecord } from '../trace/trace.ts';
import { mergeToolCalls } from './merge-tool-calls.ts';

function call(name: string, args: Record<string, unknown>, rest: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return { id: 'c', name, arguments: args, turn: 1, result: 'ok', is_error: false, seen: 'reported', ...rest };
}
const mocked = (name: string, args: Record<string, unknown>, result = 'mocked') =>
  call(name, args, { seen: 'observed', result });
const mark = (each: ToolCallRecord): ToolCallRecord => ({ ...each, bypassed_mock: true });

test.each(['look_up', 'mcp__shop__look_up', 'shop.look_up'])(
  "a mock's call and the message %s with equal arguments are one call, with the mock's name and answer",
  (name) => {
    const merged = mergeToolCalls([mocked('look_up', { id: 1, of: 2 })], [call(name, { of: 2, id: 1 })], mark);
    expect(merged).toEqual({
      unreported: [],
      reported: [call('look_up', { id: 1, of: 2 }, { seen: 'observed', result: 'mocked' })],
    });
  },
);

test('a name that only ends alike, and other arguments, are another call', () => {
  const { unreported, reported } = mergeToolCalls(
    [mocked('order', { id: 1 }), mocked('look_up', { id: 2 })],
    [call('cancel_order', { id: 1 }), call('look_up', { id: 1 })],
    mark,
  );
  expect(unreported).toHaveLength(2);
  expect(reported.map(({ bypassed_mock }) => bypassed_mock)).toEqual([true, true]);
});

test('one call of a mock stands for one message only', () => {
  const { reported } = mergeToolCalls([mocked('look_up', {})], [call('look_up', {}), call('look_up', {})], mark);
  expect(reported.map(({ seen }) => seen)).toEqual(['observed', 'reported']);
});

test('defaults that an SDK adds before it calls the mock do not make two calls of one', () => {
  const { unreported, reported } = mergeToolCalls(
    [mocked('look_up', { id: 2, limit: 10 }), mocked('look_up', { id: 1, limit: 10 })],
    [call('look_up', { id: 1 }), call('look_up', { id: 2 })],
    mark,
  );
  expect(unreported).toEqual([]);
  expect(reported.map(({ arguments: args }) => args.id)).toEqual([1, 2]);
});

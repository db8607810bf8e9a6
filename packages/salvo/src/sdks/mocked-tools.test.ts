import { expect, test } from 'vitest';
import type { ToolAnswer } from '../adapters/adapter.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { askMock, mockOf, refuseMissing } from './mocked-tools.ts';

function taskWith(answer: ToolAnswer) {
  const calls: unknown[] = [];
  return {
    calls,
    tools: [{ name: 'look_up', description: '', parameters: {} }],
    callTool: async (name: string, args?: Record<string, unknown>) => {
      calls.push([name, args]);
      return answer;
    },
  };
}

test.each([
  ['an object', '{"left":"Monday"}', { left: 'Monday' }],
  ['a list', '[1, 2]', [1, 2]],
  ['a number, which stays a text', '42', '42'],
  ['broken JSON', '{"left":', '{"left":'],
  ['nothing', '', ''],
  ['JSON that is too deep to be read', '['.repeat(100_000), '['.repeat(100_000)],
])('a mock that answers with %s', async (_, content, expected) => {
  expect(await askMock(taskWith({ content, is_error: false }), 'look_up', {})).toEqual(expected);
});

test('an error of a mock is thrown with its text', async () => {
  const task = taskWith({ content: 'No such order.', is_error: true });
  await expect(askMock(task, 'look_up', { id: 1 })).rejects.toThrow(/^No such order\.$/);
  expect(task.calls).toEqual([['look_up', { id: 1 }]]);
});

test.each([undefined, null, 'text', [1]])('arguments that are no object are none: %s', async (args) => {
  const task = taskWith({ content: 'ok', is_error: false });
  await askMock(task, 'look_up', args);
  expect(task.calls).toEqual([['look_up', {}]]);
});

test('only a tool of the scenario has a mock', () => {
  const task = taskWith({ content: '', is_error: false });
  expect(mockOf(task, 'look_up')).toBeTypeOf('function');
  expect(mockOf(task, 'look_up_all')).toBeUndefined();
});

test('a tool that the agent lacks is refused with the tools that it has', () => {
  const task = taskWith({ content: '', is_error: false });
  expect(() => refuseMissing(task, ['lookup', 'refund'])).toThrow(SalvoError);
  expect(() => refuseMissing(task, ['lookup', 'refund'])).toThrow(
    'The scenario has the tool look_up, which the agent does not have: toolsFor() got the tools lookup, refund.',
  );
  expect(() => refuseMissing(task, [])).toThrow('got no tools');
  expect(() => refuseMissing(task, ['other', 'look_up'])).not.toThrow();
});

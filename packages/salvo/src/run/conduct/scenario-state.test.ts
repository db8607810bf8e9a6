import { expect, test } from 'vitest';
import { createCrashWatch } from './scenario-state.ts';

const crash = (error_message: string) => ({ status: 'crashed' as const, error_message });
const passed = { status: 'passed' as const, error_message: null };
const unscored = { status: 'unscored' as const, error_message: 'down' };

function watched(...results: Parameters<ReturnType<typeof createCrashWatch>['add']>[0][]) {
  const watch = createCrashWatch();
  return results.map((result) => watch.add(result));
}

test('three trials that crash alike at the beginning are enough', () => {
  expect(watched(crash('x is null'), crash('x is null'), crash('x is null'), passed)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('numbers and ids in the message do not matter', () => {
  expect(watched(crash('order 1 of 3f9a'), crash('order 22 of 77bc'), crash('order 3 of 0d1e')).at(-1)).toBe(true);
});

test.each([
  ['another crash', crash('y is null')],
  ['a trial that passed', passed],
  ['a trial that could not be scored', unscored],
])('%s among the first three says that not all trials are alike', (_, other) => {
  expect(watched(other, ...Array(5).fill(crash('x is null'))).at(-1)).toBe(false);
  expect(watched(crash('x is null'), other, ...Array(5).fill(crash('x is null'))).at(-1)).toBe(false);
});

import { expect, test } from 'vitest';
import { ownStack } from './own-stack.ts';

function errorWith(stack: unknown, options: { message?: string; cause?: unknown } = {}): Error {
  const error = new TypeError(options.message ?? 'oh', { cause: options.cause });
  Object.defineProperty(error, 'stack', { value: stack });
  return error;
}

const frames = (...places: string[]) => `TypeError: oh\n${places.map((place) => `    at ${place}`).join('\n')}`;

test('the frames of the project come alone, with relative paths, and the others are counted', () => {
  const stack = frames(
    'helper (file:///project/src/helper.ts:2:16)',
    'call (/project/node_modules/ai/dist/index.js:1:1)',
    'async agent (file:///project/agent.ts:6:26)',
    'file:///elsewhere/shared.mjs:3:4',
    'process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
    `send (${import.meta.dirname}/anything.ts:1:1)`,
  );
  expect(ownStack(errorWith(stack), '/project')).toBe(
    `TypeError: oh
    at helper (src/helper.ts:2:16)
    at async agent (agent.ts:6:26)
    at /elsewhere/shared.mjs:3:4
    ... and 3 more frames of Node, Salvo and packages`,
  );
});

test('an error that was thrown outside of the project shows where', () => {
  const stack = frames('call (/project/node_modules/ai/dist/index.js:1:1)', 'node:internal/main:1:1');
  expect(ownStack(errorWith(stack), '/project')).toContain('at call (node_modules/ai/dist/index.js:1:1)');
});

test('causes follow, also those that are no errors, and a circle ends', () => {
  const cause = errorWith(frames('file:///project/b.ts:1:1'), { message: 'deeper', cause: 'a text' });
  expect(ownStack(errorWith(frames('file:///project/a.ts:1:1'), { cause }), '/project')).toBe(
    'TypeError: oh\n    at a.ts:1:1\nCaused by: TypeError: deeper\n    at b.ts:1:1\nCaused by: a text',
  );
  const circle = errorWith(frames('file:///project/a.ts:1:1'));
  circle.cause = circle;
  expect(ownStack(circle, '/project')).toBe('TypeError: oh\n    at a.ts:1:1');
});

test('a hostile stack is bounded and cannot control a terminal', () => {
  const long = frames(...Array.from({ length: 10_000 }, (_, index) => `f (/project/${'x'.repeat(500)}.ts:${index}:1)`));
  expect(ownStack(errorWith(long), '/project')?.length).toBeLessThan(8100);
  const message = `a\u001b]0;owned\u0007${'y'.repeat(100_000)}`;
  expect(ownStack(errorWith(long, { message }), '/project')).toMatch(/^[^\u001b\u0007]{0,8100}$/);
  const odd = new Error('odd');
  Object.defineProperty(odd, 'stack', {
    get() {
      throw new Error('no stack for you');
    },
  });
  for (const error of [errorWith(undefined), errorWith(42), odd]) expect(ownStack(error, '/')).toMatch(/: o(h|dd)$/);
});

test('what is not an error has no stack', () => {
  for (const thrown of ['text', null, undefined, { stack: 'x' }]) expect(ownStack(thrown, '/')).toBeUndefined();
});

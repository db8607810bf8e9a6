import { expect, test } from 'vitest';
import { firstFrame } from './first-frame.ts';

test('the first frame of a stack is its first line with a place, below a message of any length', () => {
  const stack =
    'TypeError: x is undefined\nand more at length\n    at plan (/app/agent.ts:12:9)\n    at run (/app/b.ts:1:1)';
  expect(firstFrame(stack)).toBe('at plan (/app/agent.ts:12:9)');
});

test.each(['', 'Error: no frames', 'at'])('%j has no frame', (stack) => {
  expect(firstFrame(stack)).toBeNull();
});

test('an error that was thrown here is found here', () => {
  expect(firstFrame(new Error('x').stack ?? '')).toContain('first-frame.test.ts');
});

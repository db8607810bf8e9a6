import { expect, test } from 'vitest';
import { firstFrame } from './own-stack.ts';

test('the first frame of a stack is its first line with a place, below a message of any length', () => {
  const stack =
    'TypeError: x is undefined\nand more at length\n    at plan (/app/agent.ts:12:9)\n    at run (/app/b.ts:1:1)';
  expect(firstFrame(stack)).toBe('at plan (/app/agent.ts:12:9)');
});

test('in a traceback of Python, it is the last place in the code of the agent', () => {
  const stack = `Traceback (most recent call last):
  File "/app/agent.py", line 3, in <module>
    main()
  File "/app/agent.py", line 9, in main
    get("x")
  File "/usr/lib/python3.11/site-packages/requests/api.py", line 59, in get
    raise ConnectionError()
requests.ConnectionError: refused`;
  expect(firstFrame(stack)).toBe('File "/app/agent.py", line 9, in main');
});

test.each(['', 'Error: no frames', 'at'])('%j has no frame', (stack) => {
  expect(firstFrame(stack)).toBeNull();
});

test('an error that was thrown here is found here', () => {
  expect(firstFrame(new Error('x').stack ?? '')).toContain('first-frame.test.ts');
});

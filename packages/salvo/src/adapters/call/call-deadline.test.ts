import { expect, test, vi } from 'vitest';
import { withDeadline } from './call-deadline.ts';

const never = () => new Promise<never>(() => {});

test('an answer in time is returned', async () => {
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 60, signal: undefined }, async () => 'fine');
  await expect(answer).resolves.toBe('fine');
});

test('a call that never ends is a timeout, even when it ignores its signal', async () => {
  const answer = withDeadline({ callee: 'The agent', timeoutSeconds: 0.01, signal: undefined }, never);
  await expect(answer).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('The agent did not answer within 0.01 s'),
  });
});

test('an answer of code that did not yield until its time was over is a timeout', async () => {
  const answer = withDeadline({ callee: 'The agent', timeoutSeconds: 0.01, signal: undefined }, async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    return 'too late';
  });
  await expect(answer).rejects.toMatchObject({ kind: 'timeout' });
});

test('a limit of years is a limit, not an immediate timeout', async () => {
  const later = () => new Promise((resolve) => setImmediate(resolve, 'fine'));
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 1e9, signal: undefined }, later);
  await expect(answer).resolves.toBe('fine');
});

test('a cancelled call is aborted, with the reason as its cause, and its own signal fires', async () => {
  const controller = new AbortController();
  let seen: AbortSignal | undefined;
  const answer = withDeadline({ callee: 'It', timeoutSeconds: undefined, signal: controller.signal }, (signal) => {
    seen = signal;
    return never();
  });
  controller.abort('enough');
  await expect(answer).rejects.toMatchObject({ kind: 'aborted', cause: 'enough' });
  expect(seen?.aborted).toBe(true);
});

test('an error of a call that is being stopped does not hide the reason', async () => {
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 0.01, signal: undefined }, async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('socket hang up');
  });
  await expect(answer).rejects.toMatchObject({ kind: 'timeout' });
});

test('a signal that has already fired prevents the call', async () => {
  let called = false;
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 1, signal: AbortSignal.abort() }, async () => {
    called = true;
  });
  await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  expect(called).toBe(false);
});

test('an error of the call itself is left as it is', async () => {
  const error = new TypeError('bad code');
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 1, signal: undefined }, () => Promise.reject(error));
  await expect(answer).rejects.toBe(error);
});

test('a call has two minutes if its adapter sets no limit', async () => {
  vi.useFakeTimers();
  try {
    const answer = withDeadline({ callee: 'It', timeoutSeconds: undefined, signal: undefined }, never);
    const outcome = expect(answer).rejects.toThrow('It did not answer within 120 s');
    await vi.advanceTimersByTimeAsync(120_000);
    await outcome;
  } finally {
    vi.useRealTimers();
  }
});

test('an answer after the limit does not count, also when the call kept the timer from firing', async () => {
  const answer = withDeadline({ callee: 'It', timeoutSeconds: 0.02, signal: undefined }, async () => {
    const end = performance.now() + 40;
    while (performance.now() < end);
    return 'late';
  });
  await expect(answer).rejects.toMatchObject({ kind: 'timeout' });
});

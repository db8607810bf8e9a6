import { describe, expect, it } from 'vitest';
import { allOrAbort } from './all-or-abort.ts';

describe('allOrAbort', () => {
  it('returns the results in the order of the tasks', async () => {
    const second = Promise.withResolvers<void>();
    const tasks = [
      () => second.promise.then(() => 1),
      async () => {
        second.resolve();
        return 2;
      },
    ];
    expect(await allOrAbort(undefined, tasks)).toEqual([1, 2]);
    expect(await allOrAbort(undefined, [])).toEqual([]);
  });

  it('stops the other tasks when one fails, and throws its error', async () => {
    let stopped = false;
    const waiting = (signal: AbortSignal) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(new Error('stopped'));
        }),
      );
    const failing = () => Promise.reject(new Error('broken'));
    await expect(allOrAbort(undefined, [waiting, failing])).rejects.toThrow('broken');
    expect(stopped).toBe(true);
  });

  it('stops all tasks when the signal is aborted', async () => {
    const task = async (signal: AbortSignal) => signal.throwIfAborted();
    await expect(allOrAbort(AbortSignal.abort(new Error('enough')), [task])).rejects.toThrow('enough');
  });
});

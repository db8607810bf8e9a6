import { abortedError } from './call-deadline.ts';

export type ResourcePool<T> = ReturnType<typeof resourcePool<T>>;

/** Shares a few items among many users. When all are taken, users wait for one in the order of their requests. */
export function resourcePool<T>(items: T[]) {
  const free = [...items];
  const waiting: ((item: T) => void)[] = [];
  return {
    async take(signal: AbortSignal | undefined): Promise<T> {
      if (signal?.aborted) throw abortedError('The model', signal);
      const item = free.pop();
      if (item !== undefined) return item;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const onAbort = () => {
        waiting.splice(waiting.indexOf(resolve), 1);
        reject(abortedError('The model', signal));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(resolve);
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    giveBack(item: T): void {
      const next = waiting.shift();
      if (next) next(item);
      else free.push(item);
    },
  };
}

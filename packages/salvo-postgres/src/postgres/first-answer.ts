import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabasePatience } from 'salvo/kit/commands';
import { errorCode, errorMessage } from 'salvo/kit/text';
import { isConnectionLost } from './postgres-error.ts';

/** Repeats the first statement until the database answers it, refuses it, or the patience ends. */
export async function firstAnswer<T>(
  ask: () => Promise<T>,
  { place, patience }: { place: string; patience?: DatabasePatience | undefined },
): Promise<T> {
  const deadline = performance.now() + (patience?.seconds ?? 0) * 1000;
  let isWaiting = false;
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    try {
      return await ask();
    } catch (error) {
      const left = deadline - performance.now();
      if (!patience || left <= 0 || patience.signal?.aborted || !isConnectionLost(error)) throw error;
      if (!isWaiting) {
        const why = errorMessage(error) || errorCode(error);
        patience.onWaiting(
          `The database ${place} can't be reached yet (${why}). Waiting for it for up to ${patience.seconds} s; \`salvo ... --wait SECONDS\` changes this.`,
        );
      }
      isWaiting = true;
      await sleep(Math.min(pause, left), undefined, { signal: patience.signal }).catch(() => {});
    }
  }
}

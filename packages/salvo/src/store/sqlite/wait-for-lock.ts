import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, sqliteError } from './sqlite-error.ts';

const PATIENCE_MS = 60_000;

/**
 * Retries until no other process holds the database, and sleeps in between: waiting inside SQLite would stop every trial
 * of this process. Any other error is thrown with a message for the user.
 */
export async function waitForLock<T>(file: string, attempt: () => T): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw sqliteError(file, error);
      await sleep(1 + Math.random() * 20);
    }
  }
}

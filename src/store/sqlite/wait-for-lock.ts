import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, sqliteError } from './sqlite-error.ts';

const PATIENCE_MS = 60_000;

/**
 * Tries until no other process holds the database, asleep in between: waiting inside SQLite would stop every trial of
 * this process. What else goes wrong is thrown in the user's words.
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

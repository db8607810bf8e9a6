import type { DatabaseSync } from 'node:sqlite';
import { waitForLock } from './open-database.ts';
import { sqliteError } from './sqlite-error.ts';

export type WriteQueue = ReturnType<typeof writeQueue>;

interface PendingWrite {
  /**
   * Makes the change, and returns what settles its promise once the commit has succeeded. It is made again if another
   * change of its transaction has failed.
   */
  attempt: () => () => void;
  reject: (error: unknown) => void;
}

/** A burst of writes must not block the event loop or hold the lock for long. */
const MOST_PER_TRANSACTION = 500;

/** Makes writes in the order of their calls, those of one turn of the event loop in one transaction. */
export function writeQueue(database: DatabaseSync, file: string) {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const savepoint = database.prepare('SAVEPOINT one_write');
  const undo = database.prepare('ROLLBACK TO one_write');
  const release = database.prepare('RELEASE one_write');
  let pending: PendingWrite[] = [];
  let flushing: Promise<void> | null = null;
  let transaction = 0;

  async function beginTransaction(): Promise<void> {
    await waitForLock(file, () => begin.run());
    transaction += 1;
  }

  async function flushAll(): Promise<void> {
    while (pending.length > 0) {
      await nextTurn();
      const batch = pending.slice(0, MOST_PER_TRANSACTION);
      pending = pending.slice(MOST_PER_TRANSACTION);
      try {
        await beginTransaction();
        const settled = changeTogether(batch) ?? (await changeOneByOne(batch));
        for (const settle of settled) settle();
      } catch (error) {
        if (database.isTransaction) rollback.run();
        for (const { reject } of batch) reject(sqliteError(file, error, { midRun: true }));
      }
    }
    flushing = null;
  }

  /** Null, and nothing is written, if a change failed. */
  function changeTogether(batch: readonly PendingWrite[]): (() => void)[] | null {
    let settled: (() => void)[];
    try {
      settled = batch.map(({ attempt }) => attempt());
    } catch (error) {
      // On a full disk SQLite rolls back by itself, and one by one would fail as well.
      if (!database.isTransaction) throw error;
      rollback.run();
      return null;
    }
    commit.run();
    return settled;
  }

  /** Only what fails is undone. */
  async function changeOneByOne(batch: readonly PendingWrite[]): Promise<(() => void)[]> {
    await beginTransaction();
    const settled: (() => void)[] = [];
    for (const { attempt, reject } of batch) {
      savepoint.run();
      try {
        settled.push(attempt());
      } catch (error) {
        // On a full disk SQLite rolls back the whole transaction: nothing of the batch was written.
        if (!database.isTransaction) throw error;
        undo.run();
        settled.push(() => reject(sqliteError(file, error, { midRun: true })));
      }
      release.run();
    }
    commit.run();
    return settled;
  }

  return {
    /** Resolves after the commit. A write that throws is undone alone. */
    write<T>(change: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const attempt = () => {
          const value = change();
          return () => resolve(value);
        };
        pending.push({ attempt, reject });
        flushing ??= flushAll();
      });
    },
    /** Resolves when nothing is left to write. */
    async drained(): Promise<void> {
      await flushing;
    },
    /**
     * The number of the transaction that writes are made in. No other process writes meanwhile, so what a write has found
     * out about the database holds for the later ones of its transaction.
     */
    get transaction() {
      return transaction;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

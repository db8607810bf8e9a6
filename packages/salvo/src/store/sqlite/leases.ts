import type { DatabaseSync } from 'node:sqlite';
import { type Holder, thisHolder, type Work } from '../../queue/lease.ts';
import { type HeldLease, mayTake, ownLeases, readHeldLease, workerOf } from '../leases/own-leases.ts';
import type { WriteQueue } from './write-queue.ts';

interface LeaseParts {
  database: DatabaseSync;
  file: string;
  queue: WriteQueue;
  leaseMs: number;
}

/** The leases that this process holds, and the check that keeps others from writing. */
export function createLeases(parts: LeaseParts) {
  const { queue, leaseMs } = parts;
  const table = leaseTable(parts);
  /** What was checked in the transaction under way: until it ends, no other process can take a lease. */
  const checked = { transaction: 0, works: new Set<string>() };
  const own = ownLeases(
    {
      canAttach: false,
      take: (work, overdue) =>
        queue.write(() => {
          const held = table.held(work);
          checked.works.clear();
          return held === null || mayTake(held, overdue) ? table.take(work, thisHolder()) : held;
        }),
      renew: (work, token) => queue.write(() => table.renew(work, token)),
      release: (work, token) =>
        queue.write(() => {
          checked.works.clear();
          table.release(work, token);
        }),
    },
    leaseMs,
  );
  return {
    claim: own.claim,
    /** The process that works on it, as far as the store can tell. */
    holderOf: (work: Work) => workerOf(table.held(work)),
    /**
     * Asks the holder to stop: the first time after what is under way, the second time at once. It learns of it when it
     * renews its lease. Returns false when nobody works on it. Has to be called inside of a transaction.
     */
    askToStop: (work: Work) => workerOf(table.held(work)) !== null && table.askToStop(work) !== null,
    /** Throws when another process holds the lease. Has to be called inside of the transaction that writes. */
    check(work: Work): void {
      if (checked.transaction !== queue.transaction) checked.works.clear();
      checked.transaction = queue.transaction;
      const key = `${work.kind} ${work.id}`;
      if (checked.works.has(key)) return;
      // Who holds it is read only if it is not this process.
      if (!own.isHeldWith(work, table.tokenOf(work))) own.check(work, table.held(work));
      checked.works.add(key);
    },
  };
}

/** The rows of leases. Every function has to be called inside of a transaction. */
function leaseTable(parts: LeaseParts) {
  const { database, file, leaseMs } = parts;
  const expiry = `unixepoch('subsec') + ${leaseMs / 1000}`;
  const select = database.prepare(
    `SELECT token, beat, holder, stops, expires_at <= unixepoch('subsec') AS is_expired FROM leases
     WHERE kind = ? AND work_id = ? AND holder IS NOT NULL`,
  );
  const selectToken = database.prepare(
    'SELECT token FROM leases WHERE kind = ? AND work_id = ? AND holder IS NOT NULL',
  );
  // The row stays when a lease is given back: its token must never be used again.
  const upsert = database.prepare(
    `INSERT INTO leases (kind, work_id, token, beat, holder, expires_at) VALUES (?, ?, 1, 1, ?, ${expiry})
     ON CONFLICT (kind, work_id) DO UPDATE
     SET token = token + 1, beat = beat + 1, holder = excluded.holder, expires_at = excluded.expires_at, stops = 0
     RETURNING token`,
  );
  const update = database.prepare(
    `UPDATE leases SET beat = beat + 1, expires_at = ${expiry}
     WHERE kind = ? AND work_id = ? AND token = ? AND holder IS NOT NULL RETURNING stops`,
  );
  const ask = database.prepare(
    'UPDATE leases SET stops = stops + 1 WHERE kind = ? AND work_id = ? AND holder IS NOT NULL RETURNING stops',
  );
  const clear = database.prepare('UPDATE leases SET holder = NULL WHERE kind = ? AND work_id = ? AND token = ?');

  return {
    /** Null when nobody holds it. */
    held: (work: Work): HeldLease | null => readHeldLease(select.get(work.kind, work.id), work, file),
    /** Null when nobody holds it. */
    tokenOf({ kind, id }: Work): number | null {
      const token = selectToken.get(kind, id)?.token;
      return typeof token === 'number' ? token : null;
    },
    /** Returns the new token. */
    take: ({ kind, id }: Work, holder: Holder) => Number(upsert.get(kind, id, JSON.stringify(holder))?.token),
    /** Returns how often its holder was asked to stop; null when another process has taken it. */
    renew: ({ kind, id }: Work, token: number) => stopsIn(update.get(kind, id, token)),
    /** Returns how often its holder was asked by now; null when nobody holds it. */
    askToStop: ({ kind, id }: Work) => stopsIn(ask.get(kind, id)),
    release: ({ kind, id }: Work, token: number) => void clear.run(kind, id, token),
  };
}

function stopsIn(row: Record<string, unknown> | undefined): number | null {
  return row === undefined ? null : Number(row.stops);
}

import type { DatabaseSync } from 'node:sqlite';
import { thisHolder, type Work } from '../../queue/lease.ts';
import { type HeldLease, mayTake, ownLeases, readHeldLease, workerOf } from '../leases/own-leases.ts';
import type { WriteQueue } from './write-queue.ts';

/** The leases that this process holds, and the check that keeps others from writing. */
export function createLeases(parts: { database: DatabaseSync; file: string; queue: WriteQueue; leaseMs: number }) {
  const { database, file, queue, leaseMs } = parts;
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
  /** What was checked in the transaction under way: until it ends, no other process can take a lease. */
  const checked = { transaction: 0, works: new Set<string>() };

  /** Null when nobody holds it. */
  const heldLease = (work: Work): HeldLease | null => readHeldLease(select.get(work.kind, work.id), work, file);

  const own = ownLeases(
    {
      canAttach: false,
      take: (work, overdue) =>
        queue.write(() => {
          const held = heldLease(work);
          checked.works.clear();
          if (held !== null && !mayTake(held, overdue)) return held;
          return Number(upsert.get(work.kind, work.id, JSON.stringify(thisHolder()))?.token);
        }),
      renew: ({ kind, id }, token) =>
        queue.write(() => {
          const row = update.get(kind, id, token);
          return row === undefined ? null : Number(row.stops);
        }),
      release: ({ kind, id }, token) =>
        queue.write(() => {
          checked.works.clear();
          clear.run(kind, id, token);
        }),
    },
    leaseMs,
  );
  return {
    claim: own.claim,
    /** The process that works on it, as far as the store can tell. */
    holderOf: (work: Work) => workerOf(heldLease(work)),
    /**
     * Asks the holder to stop: the first time after what is under way, the second time at once. It learns of it when it
     * renews its lease. Returns false when nobody works on it. Has to be called inside of a transaction.
     */
    askToStop: (work: Work) => workerOf(heldLease(work)) !== null && ask.get(work.kind, work.id) !== undefined,
    /** Throws when another process holds the lease. Has to be called inside of the transaction that writes. */
    check(work: Work): void {
      if (checked.transaction !== queue.transaction) checked.works.clear();
      checked.transaction = queue.transaction;
      const key = `${work.kind} ${work.id}`;
      if (checked.works.has(key)) return;
      const token = selectToken.get(work.kind, work.id)?.token;
      // Who holds it is read only if it is not this process.
      if (!own.isHeldWith(work, token)) own.check(work, heldLease(work));
      checked.works.add(key);
    },
  };
}

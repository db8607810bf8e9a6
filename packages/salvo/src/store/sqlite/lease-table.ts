import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Holder, holderSchema, type Work } from '../../queue/lease.ts';
import { conforms, unreadable } from '../documents/document-codec.ts';
import type { HeldLease } from '../leases/own-leases.ts';

/** Every function has to be called inside of a transaction. */
export interface LeaseTable {
  /** Null when nobody holds it. */
  held(work: Work): HeldLease | null;
  /** The token of the lease; null when nobody holds it. */
  tokenOf(work: Work): number | null;
  /** Returns the new token. */
  take(work: Work, holder: Holder): number;
  /** Returns how often its holder was asked to stop; null when another process has taken it. */
  renew(work: Work, token: number): number | null;
  /** Returns how often its holder was asked by now; null when nobody holds it. */
  askToStop(work: Work): number | null;
  release(work: Work, token: number): void;
}

const rowSchema = z.object({
  token: z.int(),
  beat: z.int(),
  holder: z.string(),
  stops: z.int(),
  is_expired: z.union([z.literal(0), z.literal(1)]),
});

export function leaseTable(parts: { database: DatabaseSync; file: string; leaseMs: number }): LeaseTable {
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
    held({ kind, id }) {
      const row: unknown = select.get(kind, id);
      if (row === undefined) return null;
      if (!conforms(rowSchema, row)) throw unreadable(file, `The lease of ${kind} ${id}`);
      const { holder, is_expired, ...counts } = row;
      return { ...counts, holder: readHolder(holder, `The lease of ${kind} ${id}`), isExpired: is_expired === 1 };
    },
    tokenOf({ kind, id }) {
      const token = selectToken.get(kind, id)?.token;
      return typeof token === 'number' ? token : null;
    },
    take: ({ kind, id }, holder) => Number(upsert.get(kind, id, JSON.stringify(holder))?.token),
    renew: ({ kind, id }, token) => stopsIn(update.get(kind, id, token)),
    askToStop: ({ kind, id }) => stopsIn(ask.get(kind, id)),
    release: ({ kind, id }, token) => void clear.run(kind, id, token),
  };

  function readHolder(text: string, what: string): Holder {
    try {
      return holderSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw unreadable(file, what, undefined, cause);
    }
  }
}

function stopsIn(row: Record<string, unknown> | undefined): number | null {
  return row === undefined ? null : Number(row.stops);
}

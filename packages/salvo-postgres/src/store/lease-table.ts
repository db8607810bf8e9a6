import pg from 'pg';
import { atWork, type Holder, holderSchema, type Lease, thisHolder, type Work, type Worker } from 'salvo/kit/queue';
import { conforms, type HeldLease, mayTake, ownLeases, unreadable, workerOf } from 'salvo/kit/store';
import { z } from 'zod';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from './store-database.ts';

/** Who works on what. */
export interface LeaseTable {
  claim(work: Work): Promise<Lease>;
  holderOf(work: Work): Promise<Worker | null>;
  askToStop(work: Work): Promise<boolean>;
  /** Writes, unless another process works on it: that is checked in the same transaction. */
  writeTo<T>(work: Work, write: Write<T>): Promise<T>;
  /** Writes, unless any process works on it. */
  writeIdle<T>(work: Work, write: Write<T>): Promise<T>;
}

const rowSchema = z.object({
  token: z.coerce.number(),
  beat: z.coerce.number(),
  holder: z.string(),
  stops: z.int(),
  is_expired: z.boolean(),
});
const LEASES = `${SCHEMA}.leases`;
const HELD = `SELECT token, beat, holder, stops, expires_at <= clock_timestamp() AS is_expired FROM ${LEASES}`;

export function leaseTable(database: StoreDatabase, leaseMs: number): LeaseTable {
  const { postgres, place } = database;
  const expiry = `clock_timestamp() + interval '${leaseMs} milliseconds'`;
  const own = ownLeases({ take, renew, release, canAttach: true }, leaseMs);

  function readHeld({ kind, id }: Work, row: Row | undefined): HeldLease | null {
    if (row === undefined) return null;
    const parsed = rowSchema.safeParse(row);
    const holder = parsed.success ? readHolder(parsed.data.holder) : null;
    if (!parsed.success || !holder) throw unreadable(place, `The lease of ${kind} ${id}`);
    const { is_expired: isExpired, ...rest } = parsed.data;
    return { ...rest, holder, isExpired };
  }

  async function held(work: Work): Promise<HeldLease | null> {
    const [row] = await postgres.query(
      `${HELD} WHERE kind = $1 AND work_id = $2 AND holder IS NOT NULL`,
      [work.kind, columnText(work.id)],
      'held-lease',
    );
    return readHeld(work, row);
  }

  /** Locked until the end of the transaction, so that no other process can take the lease meanwhile. */
  function heldForWrite({ kind, id }: Work): string {
    return `${HELD} WHERE kind = '${kind}' AND work_id = ${pg.escapeLiteral(columnText(id))} AND holder IS NOT NULL FOR SHARE`;
  }

  function take(work: Work, overdue: HeldLease | null): Promise<number | HeldLease> {
    const key = [work.kind, columnText(work.id)];
    return database.write({
      texts: NO_TEXTS,
      async change(sql) {
        // The row stays when a lease is given back: its token must never be used again.
        await sql.query(
          `INSERT INTO ${LEASES} (kind, work_id, token, beat, expires_at) VALUES ($1, $2, 0, 0, now())
           ON CONFLICT DO NOTHING`,
          key,
        );
        const [row] = await sql.query(
          `SELECT token, beat, holder, stops, expires_at <= clock_timestamp() AS is_expired FROM ${LEASES}
           WHERE kind = $1 AND work_id = $2 FOR UPDATE`,
          key,
        );
        const current = row?.holder === null ? null : readHeld(work, row);
        if (current && !mayTake(current, overdue)) return current;
        const [taken] = await sql.query(
          `UPDATE ${LEASES} SET token = token + 1, beat = beat + 1, holder = $3, stops = 0, expires_at = ${expiry}
           WHERE kind = $1 AND work_id = $2 RETURNING token`,
          [...key, JSON.stringify(thisHolder())],
        );
        return Number(taken?.token);
      },
    });
  }

  async function renew({ kind, id }: Work, token: number): Promise<number | null> {
    const [row] = await postgres.query(
      `UPDATE ${LEASES} SET beat = beat + 1, expires_at = ${expiry}
       WHERE kind = $1 AND work_id = $2 AND token = $3 AND holder IS NOT NULL RETURNING stops`,
      [kind, columnText(id), token],
      'renew-lease',
    );
    return row === undefined ? null : Number(row.stops);
  }

  async function release({ kind, id }: Work, token: number): Promise<void> {
    await database.write({
      texts: NO_TEXTS,
      change: (sql) =>
        sql.query(`UPDATE ${LEASES} SET holder = NULL WHERE kind = $1 AND work_id = $2 AND token = $3`, [
          ...[kind, columnText(id), token],
        ]),
    });
  }

  return {
    claim: own.claim,
    holderOf: async (work) => workerOf(await held(work)),
    async askToStop(work) {
      if (workerOf(await held(work)) === null) return false;
      const asked = await database.write({
        texts: NO_TEXTS,
        change: (sql) =>
          sql.query(
            `UPDATE ${LEASES} SET stops = stops + 1 WHERE kind = $1 AND work_id = $2 AND holder IS NOT NULL
             RETURNING stops`,
            [work.kind, columnText(work.id)],
          ),
      });
      return asked.length > 0;
    },
    writeTo: (work, { texts, change }) =>
      database.write(
        {
          texts,
          change(sql) {
            own.check(work, readHeld(work, sql.first.at(-1)?.[0]));
            return change(sql);
          },
        },
        heldForWrite(work),
      ),
    writeIdle: (work, { texts, change }) =>
      database.write(
        {
          texts,
          change(sql) {
            const worker = workerOf(readHeld(work, sql.first.at(-1)?.[0]));
            if (worker !== null) throw atWork(work, worker, { canAttach: true });
            return change(sql);
          },
        },
        heldForWrite(work),
      ),
  };
}

function readHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    return conforms(holderSchema, value) ? value : null;
  } catch {
    return null;
  }
}

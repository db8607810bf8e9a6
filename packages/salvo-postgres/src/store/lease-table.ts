import pg from 'pg';
import { atWork, thisHolder, type Work, type Worker } from 'salvo/kit/queue';
import { type HeldLease, mayTake, ownLeases, readHeldLease, workerOf } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Sql } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from './store-database.ts';

const LEASES = `${SCHEMA}.leases`;
const COLUMNS = `token, beat, holder, stops, expires_at <= clock_timestamp() AS is_expired FROM ${LEASES}`;

/** Who works on what. */
export function leaseTable(database: StoreDatabase, leaseMs: number) {
  const { postgres, place } = database;
  const expiry = `clock_timestamp() + interval '${leaseMs} milliseconds'`;
  const own = ownLeases({ take, renew, release, canAttach: true }, leaseMs);
  const write = <T>(change: (sql: Sql) => Promise<T>): Promise<T> => database.write({ texts: NO_TEXTS, change });

  async function held(work: Work): Promise<HeldLease | null> {
    const [row] = await postgres.query(
      `SELECT ${COLUMNS} WHERE kind = $1 AND work_id = $2 AND holder IS NOT NULL`,
      keyOf(work),
      'held-lease',
    );
    return readHeldLease(row, work, place);
  }

  function take(work: Work, overdue: HeldLease | null): Promise<number | HeldLease> {
    const key = keyOf(work);
    return write(async (sql) => {
      // The row stays when a lease is given back: its token must never be used again.
      await sql.query(
        `INSERT INTO ${LEASES} (kind, work_id, token, beat, expires_at) VALUES ($1, $2, 0, 0, now())
         ON CONFLICT DO NOTHING`,
        key,
      );
      const [row] = await sql.query(`SELECT ${COLUMNS} WHERE kind = $1 AND work_id = $2 FOR UPDATE`, key);
      const current = row?.holder === null ? null : readHeldLease(row, work, place);
      if (current && !mayTake(current, overdue)) return current;
      const [taken] = await sql.query(
        `UPDATE ${LEASES} SET token = token + 1, beat = beat + 1, holder = $3, stops = 0, expires_at = ${expiry}
         WHERE kind = $1 AND work_id = $2 RETURNING token`,
        [...key, JSON.stringify(thisHolder())],
      );
      return Number(taken?.token);
    });
  }

  async function renew(work: Work, token: number): Promise<number | null> {
    const [row] = await postgres.query(
      `UPDATE ${LEASES} SET beat = beat + 1, expires_at = ${expiry}
       WHERE kind = $1 AND work_id = $2 AND token = $3 AND holder IS NOT NULL RETURNING stops`,
      [...keyOf(work), token],
      'renew-lease',
    );
    return row === undefined ? null : Number(row.stops);
  }

  async function release(work: Work, token: number): Promise<void> {
    const text = `UPDATE ${LEASES} SET holder = NULL WHERE kind = $1 AND work_id = $2 AND token = $3`;
    await write((sql) => sql.query(text, [...keyOf(work), token]));
  }

  return {
    claim: own.claim,
    holderOf: async (work: Work): Promise<Worker | null> => workerOf(await held(work)),
    async askToStop(work: Work): Promise<boolean> {
      if (workerOf(await held(work)) === null) return false;
      const asked = await write((sql) =>
        sql.query(
          `UPDATE ${LEASES} SET stops = stops + 1 WHERE kind = $1 AND work_id = $2 AND holder IS NOT NULL RETURNING stops`,
          keyOf(work),
        ),
      );
      return asked.length > 0;
    },
    /**
     * Writes, unless another process works on it, or with `whenIdle` any process. That is checked in the same
     * transaction, which no process that takes the lease overtakes.
     */
    writeTo<T>(work: Work, { texts, change }: Write<T>, whenIdle = false): Promise<T> {
      const [kind = '', id = ''] = keyOf(work).map((text) => pg.escapeLiteral(text));
      const first = `SELECT ${COLUMNS} WHERE kind = ${kind} AND work_id = ${id} AND holder IS NOT NULL FOR SHARE`;
      const checked: Write<T> = {
        texts,
        change(sql) {
          const found = readHeldLease(sql.first.at(-1)?.[0], work, place);
          const worker = whenIdle ? workerOf(found) : null;
          if (worker !== null) throw atWork(work, worker, { canAttach: true });
          if (!whenIdle) own.check(work, found);
          return change(sql);
        },
      };
      return database.write(checked, first);
    },
  };
}

function keyOf({ kind, id }: Work): string[] {
  return [kind, columnText(id)];
}

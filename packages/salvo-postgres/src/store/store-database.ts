import type { Decoder } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Postgres, Row, Transaction } from '../postgres/postgres.ts';
import { textTable } from './text-table.ts';

/** A change to make inside of a transaction, and the long texts that its documents refer to. */
export interface Write<T = void> {
  texts: ReadonlyMap<string, string>;
  change: (sql: Transaction) => Promise<T>;
}

export interface Selected {
  rows: Row[];
  decode: Decoder;
}

/** A process that writes has a share of this lock. One that removes texts without references has it alone. */
export const TEXTS_LOCK = 0x5a1f1;
/** Rows are written by their key, so that plans need not be made for the values of each. */
const FIRST = `SELECT set_config('plan_cache_mode', 'force_generic_plan', true),
    pg_advisory_xact_lock_shared(${TEXTS_LOCK});
  SELECT count FROM ${SCHEMA}.purges`;
const SLOTS = 64;
/** For `version`. At the very end, because it is locked until the commit. */
export const COUNT_CHANGE = `UPDATE ${SCHEMA}.changes SET count = count + 1 WHERE slot = pg_backend_pid() % ${SLOTS}`;

export type StoreDatabase = ReturnType<typeof storeDatabase>;

/** The tables of the store, with what every statement on them has in common. */
export function storeDatabase(postgres: Postgres) {
  const { place } = postgres;
  const texts = textTable(place);
  return {
    place,
    postgres,
    /** Rows, and what decodes the documents in them. */
    async select(text: string, values: unknown[], name?: string): Promise<Selected> {
      const rows = await postgres.query(text, values, name);
      return { rows, decode: await texts.decoderFor(rows, postgres) };
    },
    /** Inside of a transaction of `write`, for changes that do not know their texts beforehand. */
    insertTexts: (sql: Transaction, own: ReadonlyMap<string, string>): Promise<void> =>
      texts.insert(sql, own, sql.first[1]?.[0]?.count),
    /** `first`: a further statement, sent with the begin. Its rows are `sql.first.at(-1)`. */
    async write<T>({ texts: own, change }: Write<T>, first?: string): Promise<T> {
      let purges: unknown;
      const value = await postgres.transaction(
        async (sql) => {
          purges = sql.first[1]?.[0]?.count;
          await texts.insert(sql, own, purges);
          return await change(sql);
        },
        { first: first === undefined ? FIRST : `${FIRST}; ${first}`, last: COUNT_CHANGE },
      );
      texts.committed(own, purges);
      return value;
    },
  };
}

export const NO_TEXTS: ReadonlyMap<string, string> = new Map();

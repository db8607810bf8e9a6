import type { RunRecord } from 'salvo/kit/run';
import type { StoreImports } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import { columnText } from './column-text.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from './store-database.ts';
import { savingBoth, savingTrial } from './trial-writes.ts';

/**
 * Everything of some work in one transaction: an import that is interrupted leaves no part of it. False, and nothing is
 * done, if the table has a row with its id. `fill` gets a function that makes a change with its texts, each of which is
 * sent once.
 */
export function importWhole(
  database: StoreDatabase,
  table: { name: string; key: string; id: string },
  fill: (add: (write: Write<unknown>) => Promise<void>) => Promise<void>,
): Promise<boolean> {
  return database.write({
    texts: NO_TEXTS,
    async change(sql) {
      const there = await sql.query(`SELECT 1 FROM ${SCHEMA}.${table.name} WHERE ${table.key} = $1`, [
        columnText(table.id),
      ]);
      if (there.length > 0) return sql.isRepeated;
      const sent = new Set<string>();
      await fill(async ({ texts, change }) => {
        const fresh = new Map([...texts].filter(([reference]) => !sent.has(reference)));
        await database.insertTexts(sql, fresh);
        for (const reference of fresh.keys()) sent.add(reference);
        await change(sql);
      });
      return true;
    },
  });
}

export function storeImports(database: StoreDatabase, creation: (run: RunRecord) => Write): StoreImports {
  return {
    importRun: (run, content) =>
      importWhole(database, { name: 'runs', key: 'run_id', id: run.run_id }, async (add) => {
        await add(creation(run));
        // What is redacted by now may have had another trace id.
        for await (const { trial, trace } of content())
          await add(trace === null ? savingTrial({ ...trial, trace_id: null }) : savingBoth(trace, trial));
      }),
  };
}

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { cpuSecondsOf, IS_LOST, type ScaleStore, TRIALS_PER_TRANSACTION } from './scale-store.ts';

/** The store of a project that says nothing about it. */
export function sqliteScaleStore(dir: string): ScaleStore {
  const file = join(dir, '.salvo', 'salvo.db');
  const bareFile = join(dir, 'bare.db');
  const using = <T>(work: (database: DatabaseSync) => T): T => {
    using database = new DatabaseSync(file);
    return work(database);
  };
  return {
    name: 'SQLite',
    env: { SALVO_DATABASE_URL: '' },
    runOptions: [],
    runId: async () =>
      using((database) => String(database.prepare('SELECT run_id FROM runs ORDER BY seq DESC').get()?.run_id)),
    bytes: async () => statSync(file).size,
    async bareWrite() {
      rmSync(bareFile, { force: true });
      using bare = new DatabaseSync(bareFile);
      bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;
        CREATE TABLE traces (trace_id TEXT PRIMARY KEY, document TEXT);
        CREATE TABLE trials (run_id TEXT, scenario_index INTEGER, case_index INTEGER, trial_number INTEGER, trace_id TEXT,
          result TEXT, PRIMARY KEY (run_id, scenario_index, case_index, trial_number))`);
      const insertTrace = bare.prepare('INSERT OR IGNORE INTO traces VALUES (?, ?)');
      const insertTrial = bare.prepare('INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?)');
      let seconds = 0;
      const write = async (rows: SQLInputValue[][]) => {
        seconds += await cpuSecondsOf(() => {
          bare.exec('BEGIN');
          for (const [document = null, ...trial] of rows) {
            insertTrace.run(trial[4] ?? null, document);
            insertTrial.run(...trial);
          }
          bare.exec('COMMIT');
        });
      };
      using source = new DatabaseSync(file);
      let rows: SQLInputValue[][] = [];
      const select = source.prepare(`SELECT document, run_id, scenario_index, case_index, trial_number, trace_id, result
        FROM trials JOIN traces USING (trace_id) JOIN results USING (result_id)`);
      for (const row of select.iterate()) {
        rows.push(Object.values(row));
        if (rows.length < TRIALS_PER_TRANSACTION) continue;
        await write(rows);
        rows = [];
      }
      await write(rows);
      return seconds;
    },
    bareHeads: () =>
      using((database) =>
        cpuSecondsOf(() =>
          database.prepare('SELECT scenario_index, case_index, trial_number, trace_id, status FROM trials').all(),
        ),
      ),
    bareResults: () =>
      using((database) =>
        cpuSecondsOf(() => {
          for (const { result } of database.prepare('SELECT result FROM results').iterate()) JSON.parse(String(result));
        }),
      ),
    loseTrials: async () =>
      using((database) => {
        database.exec("UPDATE runs SET status = 'interrupted'");
        return Number(database.prepare(`DELETE FROM trials WHERE ${IS_LOST}`).run().changes);
      }),
    [Symbol.asyncDispose]: async () => rmSync(bareFile, { force: true }),
  };
}

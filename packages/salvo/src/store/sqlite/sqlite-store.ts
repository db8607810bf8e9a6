import type { DatabaseSync } from 'node:sqlite';
import { atWork, LEASE_MS, type Work } from '../../queue/lease.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { once } from '../../text/memo.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceIdOf } from '../documents/dehydrate.ts';
import { decoder, encode } from '../documents/document-codec.ts';
import { RUN_COLUMNS, SCENARIO_COLUMNS } from '../documents/run-rows.ts';
import { runModule, runTables } from '../run-tables.ts';
import type { Store } from '../store.ts';
import { trialTables } from '../trial-tables.ts';
import { blobTable, type Write } from './blob-table.ts';
import { createLeases } from './leases.ts';
import { type OpenedDatabase, openDatabase, openToRead, waitForLock } from './open-database.ts';
import { sqliteError } from './sqlite-error.ts';
import { sqliteTables } from './table-engine.ts';
import { trialWriter } from './trial-writer.ts';
import { type WriteQueue, writeQueue } from './write-queue.ts';

/** A store in one SQLite file, which any number of processes can share. `:memory:` is a store without a file. */
export async function openSqliteStore({
  file,
  readOnly = false,
  isChecked = false,
  leaseMs = LEASE_MS,
}: {
  file: string;
  /** Nothing will be written, so it need not be possible. */
  readOnly?: boolean;
  /** Every page of the file is looked at, and a damaged one is refused. */
  isChecked?: boolean;
  leaseMs?: number;
}): Promise<Store> {
  const opened: OpenedDatabase = readOnly
    ? await openToRead(file)
    : { database: await openDatabase(file), cleanUp: async () => {} };
  try {
    if (isChecked) refuseDamaged(opened.database, file);
    refuseIncomplete(opened.database);
    return sqliteStore({ ...opened, file, leaseMs });
  } catch (error) {
    opened.database.close();
    await opened.cleanUp();
    throw sqliteError(file, error);
  }
}

function refuseDamaged(database: DatabaseSync, file: string): void {
  const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (found !== 'ok') throw new SalvoError('STORE_CORRUPT', `${file} is damaged: ${String(found)}.`);
}

/** A statement on a table or column that is not there throws, now and not in the middle of a run. */
function refuseIncomplete(database: DatabaseSync): void {
  const used = [`${RUN_COLUMNS} FROM runs`, `${SCENARIO_COLUMNS} FROM run_scenarios`, 'figures FROM scenario_figures'];
  for (const columns of used) database.prepare(`SELECT ${columns}`);
}

function sqliteStore({ database, cleanUp, file, leaseMs }: OpenedDatabase & { file: string; leaseMs: number }): Store {
  const queue = writeQueue(database, file);
  const blobs = blobTable({ database, file, queue });
  const decode = decoder(file, blobs.text);
  /** What is being loaded: a store that is closed meanwhile waits for it. */
  const loads: Promise<unknown>[] = [];
  const later = <Table>(load: () => Promise<Table>) =>
    once(() => {
      const loading = load();
      loads.push(loading);
      return loading;
    });
  // A run needs none of these, so each is loaded when it is first used.
  const descriptions = later(() => import('./describe-sqlite.ts'));
  const rawRows = later(() => import('../stored-rows.ts'));
  const deleted = later(async () => (await import('./deleted-runs.ts')).deletedRuns(database));
  const leases = createLeases({ database, file, queue, leaseMs });
  const { write, writeTo } = checkedWrites({ queue, blobs, leases });

  const selectVersion = database.prepare('PRAGMA data_version');
  const selectChanges = database.prepare('SELECT total_changes() AS changes');

  const read = <T>(query: () => T): Promise<T> => waitForLock(file, query);
  const modules = sqliteTables({ database, file, decode, queue, read, write, writeTo, loads });
  const runs = modules.engineOf(runModule);

  return {
    workerAccess: null,
    imports: null,
    async describe() {
      const { describeSqlite } = await descriptions();
      return await read(() => describeSqlite(database, file));
    },
    claim: (work) => leases.claim(work),
    holderOf: (work) => read(() => leases.holderOf(work)),
    askToStop: (work) => queue.write(() => leases.askToStop(work)),

    ...runTables(runs),
    ...trialTables(runs),
    async *storedRows(runId) {
      yield* (await rawRows()).storedRows(runs, runId);
    },
    async purgeDeletedRuns(olderThanSeconds) {
      const { purge } = await deleted();
      await queue.write(() => {
        purge(olderThanSeconds);
        blobs.removed();
      });
    },
    async removeForGood(ids, module) {
      const { remove } = await deleted();
      if (module) await modules.prepare(module);
      return await queue.write(() => {
        const kind = module?.work.kind ?? 'run';
        const idle = ids.filter((id) => leases.holderOf({ kind, id }) === null);
        const removed = remove(idle, module?.work);
        blobs.removed();
        return removed;
      });
    },

    ...trialSaves(database, { write, writeTo }),
    version: () =>
      read(() => {
        // The first sees changes of other connections, the second those of this one.
        const { data_version } = selectVersion.get() ?? {};
        return `${data_version}-${selectChanges.get()?.changes}`;
      }),

    tables: (module) => module.open(modules.engineOf(module)),

    async close() {
      await Promise.allSettled(loads);
      await queue.drained();
      if (database.isOpen) database.close();
      await cleanUp();
    },
  };
}

type Writes = ReturnType<typeof checkedWrites>;

function checkedWrites({
  queue,
  blobs,
  leases,
}: {
  queue: WriteQueue;
  blobs: ReturnType<typeof blobTable>;
  leases: ReturnType<typeof createLeases>;
}) {
  async function write<T>({ blobs: texts, change }: Write<T>): Promise<T> {
    const value = await queue.write(() => {
      blobs.insert(texts);
      return change();
    });
    blobs.committed(texts);
    return value;
  }
  /** A process that lost its lease must not write any more, so that is checked in the same transaction. */
  const writeTo = <T>(work: Work, { blobs: texts, change }: Write<T>, whenIdle = false): Promise<T> =>
    write({
      blobs: texts,
      change() {
        if (whenIdle) refuseHeld(work);
        else leases.check(work);
        return change();
      },
    });
  function refuseHeld(work: Work): void {
    const holder = leases.holderOf(work);
    if (holder !== null) throw atWork(work, holder, { canAttach: false });
  }
  return { write, writeTo };
}

/** How trials and their traces are written. */
function trialSaves(
  database: DatabaseSync,
  { write, writeTo }: Writes,
): Pick<Store, 'saveTrace' | 'saveFinished' | 'saveTrial'> {
  const insertTrace = database.prepare('INSERT OR IGNORE INTO traces (trace_id, document) VALUES (?, ?)');
  const trialWrite = trialWriter(database);
  function traceWrite(trace: Trace): Write & { traceId: string } {
    const encoded = encode('A trace', trace);
    const traceId = traceIdOf(encoded, trace);
    return { traceId, blobs: encoded.blobs, change: () => void insertTrace.run(traceId, encoded.document) };
  }
  const toRun = (id: string, change: Write): Promise<void> => writeTo({ kind: 'run', id }, change);
  return {
    async saveTrace(trace, trial) {
      const saving = traceWrite(trace);
      const { traceId } = saving;
      const withTrial = trial && bothWrites(saving, trialWrite({ ...trial, trace_id: traceId, result: null }));
      await (withTrial ? toRun(trial.run_id, withTrial) : write(saving));
      return traceId;
    },
    async saveFinished(trace, { result, ...trial }) {
      const saving = traceWrite(trace);
      const trace_id = saving.traceId;
      const finished = { ...trial, trace_id, result: result && { ...result, trace_id } };
      // Not awaited: until the commit, only what is written is kept in memory, and not the trace.
      return toRun(trial.run_id, bothWrites(saving, trialWrite(finished))).then(() => finished);
    },
    async saveTrial(trial) {
      await toRun(trial.run_id, trialWrite(trial));
      return trial;
    },
  };
}

function bothWrites(first: Write, second: Write): Write {
  return {
    blobs: second.blobs.size === 0 ? first.blobs : new Map([...first.blobs, ...second.blobs]),
    change() {
      first.change();
      second.change();
    },
  };
}

import { LEASE_MS, type Work, type WorkQueue } from 'salvo/kit/queue';
import {
  changedTrials,
  runCreation,
  runModule,
  runTables,
  type Store,
  storedRows,
  type TableModule,
  type TableStore,
  trialTables,
} from 'salvo/kit/store';
import { limitTable } from '../limits/limit-table.ts';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { describePostgres } from './describe-postgres.ts';
import { storeImports } from './imports.ts';
import { leaseTable } from './lease-table.ts';
import { removal } from './removal.ts';
import { storeDatabase, type Write } from './store-database.ts';
import { tableEngine } from './table-engine.ts';
import { savingBoth, savingTrace, savingTrial } from './trial-writes.ts';
import { createWorkerAccess } from './worker-access.ts';

/** A store in a PostgreSQL database whose tables are there. Closes the database with itself. */
export function postgresStore({
  postgres,
  queue,
  prepare,
  leaseMs = LEASE_MS,
}: {
  postgres: Postgres;
  queue: WorkQueue;
  /** Resolves when the tables of a module are those of its version. */
  prepare: (module: TableModule) => Promise<void>;
  leaseMs?: number;
}): Store {
  const database = storeDatabase(postgres);
  const leases = leaseTable(database, leaseMs);
  const removing = removal(database);
  const underWay = new Set<Promise<unknown>>();

  /** `close` waits for it. */
  function tracked<T>(promise: Promise<T>): Promise<T> {
    underWay.add(promise);
    const forget = () => underWay.delete(promise);
    promise.then(forget, forget);
    return promise;
  }
  const write = <T>(change: Write<T>): Promise<T> => tracked(database.write(change));
  const writeTo = <T>(work: Work, change: Write<T>, whenIdle = false): Promise<T> =>
    tracked(leases.writeTo(work, change, whenIdle));
  const toRun = <T>(id: string, change: Write<T>): Promise<T> => writeTo({ kind: 'run', id }, change);
  const engineOf = (module: TableModule, writeOwn = writeTo) =>
    tableEngine(module, { database, prepare: () => tracked(prepare(module)), write, writeTo: writeOwn });
  const tablesBy = (writeOwn: typeof writeTo): TableStore => ({
    tables: (module) => module.open(engineOf(module, writeOwn)),
  });
  const runs = engineOf(runModule);

  const trials = trialTables(runs);
  async function saveBoth(...[trace, trial]: Parameters<typeof savingBoth>) {
    const saving = savingBoth(trace, trial);
    await toRun(trial.run_id, saving);
    return saving;
  }

  return {
    ...tablesBy(writeTo),
    workerAccess: createWorkerAccess({
      ...{ database, trials, queue },
      limits: limitTable(postgres),
      changedTrials: (runId, cursor) => changedTrials(runs, runId, cursor),
      tablesBy: (writeOwn) => tablesBy((_work, change) => writeOwn(change)),
    }),
    imports: storeImports(database, (run) => runs.writeOf(runCreation(runs, run))),
    describe: () => describePostgres(postgres),
    claim: (work) => leases.claim(work),
    holderOf: (work) => leases.holderOf(work),
    askToStop: (work) => leases.askToStop(work),

    ...runTables(runs),
    ...trials,
    storedRows: (runId) => storedRows(runs, runId),
    async removeForGood(ids, module) {
      if (module) await prepare(module);
      return await tracked(removing.remove(ids, module?.work));
    },
    purgeDeletedRuns: (olderThanSeconds) => tracked(removing.purge(olderThanSeconds)),

    async saveTrace(trace, trial) {
      if (trial) return (await saveBoth(trace, trial)).traceId;
      const { traceId, ...saving } = savingTrace(trace);
      await write(saving);
      return traceId;
    },
    saveFinished: async (trace, trial) => (await saveBoth(trace, trial)).saved,
    async saveTrial(trial) {
      await toRun(trial.run_id, savingTrial(trial));
      return trial;
    },
    async version() {
      const [row] = await postgres.query(
        `SELECT string_agg(count::text, '-' ORDER BY slot) AS counts FROM ${SCHEMA}.changes`,
        [],
        'version',
      );
      return String(row?.counts);
    },

    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await queue[Symbol.asyncDispose]();
      await postgres.close();
    },
  };
}

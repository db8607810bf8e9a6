import { LEASE_MS, type Work, type WorkQueue } from 'salvo/kit/queue';
import {
  readPages,
  runCreation,
  runModule,
  runTables,
  type Store,
  storedRows,
  type TableModule,
  type TableStore,
} from 'salvo/kit/store';
import { traceSchema } from 'salvo/kit/trace';
import { limitTable } from '../limits/limit-table.ts';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import { describePostgres } from './describe-postgres.ts';
import { storeImports } from './imports.ts';
import { leaseTable } from './lease-table.ts';
import { removal } from './removal.ts';
import { storeDatabase, type Write } from './store-database.ts';
import { tableEngine } from './table-engine.ts';
import { trialTable, trialWithTrace } from './trial-table.ts';
import { createWorkforce } from './workforce.ts';

const PAGE_SIZE = 100;
const HEADS_PER_PAGE = 5000;

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
  const trials = trialTable(database);
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
    tracked(whenIdle ? leases.writeIdle(work, change) : leases.writeTo(work, change));
  const toRun = <T>(id: string, change: Write<T>): Promise<T> => writeTo({ kind: 'run', id }, change);
  const engineOf = (module: TableModule, writeOwn = writeTo) =>
    tableEngine(module, { database, prepare: () => tracked(prepare(module)), write, writeTo: writeOwn });
  const tablesBy = (writeOwn: typeof writeTo): TableStore => ({
    tables: (module) => module.open(engineOf(module, writeOwn)),
  });
  const runs = engineOf(runModule);

  const reading: Pick<Store, 'getTrace' | 'getTrial'> = {
    async getTrace(traceId) {
      const { rows, decode } = await database.select(
        `SELECT document FROM ${SCHEMA}.traces WHERE trace_id = $1`,
        [columnText(traceId)],
        'get-trace',
      );
      const [row] = rows;
      return row ? decode(`The trace ${traceId}`, traceSchema, String(row.document)) : null;
    },
    getTrial: (runId, place) => trials.get(runId, place),
  };

  return {
    ...reading,
    ...tablesBy(writeTo),
    workforce: createWorkforce({
      ...{ database, trials, queue, reading },
      limits: limitTable(postgres),
      tablesBy: (writeOwn) => tablesBy((_work, change) => writeOwn(change)),
    }),
    imports: storeImports({ database, trials, creation: (run) => runs.writeOf(runCreation(runs, run)) }),
    describe: () => describePostgres(postgres),
    claim: (work) => leases.claim(work),
    holderOf: (work) => leases.holderOf(work),
    askToStop: (work) => leases.askToStop(work),

    ...runTables(runs),
    storedRows: (runId) => storedRows(runs, runId),
    async removeForGood(ids, module) {
      if (module) await prepare(module);
      return await tracked(removing.remove(ids, module?.work));
    },
    purgeDeletedRuns: (olderThanSeconds) => tracked(removing.purge(olderThanSeconds)),

    async saveTrace(trace, trial) {
      const { traceId, ...saving } = trials.saveTrace(trace, trial);
      await (trial ? toRun(trial.run_id, saving) : write(saving));
      return traceId;
    },
    async saveFinished(trace, trial) {
      const { traceId, ...saving } = trials.saveTrace(trace, trial);
      await toRun(trial.run_id, saving);
      return trialWithTrace(trial, traceId);
    },
    async findTraceIds(prefix, limit) {
      const rows = await postgres.query(
        `SELECT trace_id FROM ${SCHEMA}.traces WHERE trace_id >= $1 AND trace_id < $1 || chr(1114111)
         ORDER BY seq DESC LIMIT $2`,
        [columnText(prefix), limit],
      );
      return rows.map((row) => String(row.trace_id));
    },
    findTrialOfTrace: (traceId) => trials.ofTrace(traceId),

    async saveTrial(trial) {
      await toRun(trial.run_id, trials.save(trial));
      return trial;
    },
    trials: (runId, { scenarioIndex, caseName } = {}) =>
      readPages((after) => trials.page({ runId, scenarioIndex, caseName, after, size: PAGE_SIZE }), PAGE_SIZE),
    trialOutcomes: (runId, page) => trials.outcomes({ runId, ...page }),
    trialHeads: (runId) => readPages((after) => trials.heads({ runId, after, size: HEADS_PER_PAGE }), HEADS_PER_PAGE),
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

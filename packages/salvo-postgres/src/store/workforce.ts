import type { LimitTable } from 'salvo/kit/models';
import type { JobLease, WorkQueue } from 'salvo/kit/queue';
import { addCosts, type StoredTrial, type TrialCost, trialCostSince } from 'salvo/kit/run';
import { type JobRecorder, type Store, type TableStore, trialCostSchema, type Workforce } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Transaction } from '../postgres/postgres.ts';
import { changeCursor, changesOf } from './changes.ts';
import { columnText } from './column-text.ts';
import { JobWrites } from './job-writes.ts';
import type { StoreDatabase, Write } from './store-database.ts';
import {
  costText,
  TRIAL_COLUMNS,
  type TrialKey,
  type TrialRow,
  type TrialTable,
  trialWithTrace,
} from './trial-table.ts';

/** What workers write, and what the lead reads of it. */
export function createWorkforce(parts: {
  database: StoreDatabase;
  trials: TrialTable;
  queue: WorkQueue;
  limits: LimitTable;
  reading: Pick<Store, 'getTrace' | 'getTrial'>;
  /** Tables that write with this function to their work. */
  tablesBy: (writeTo: <T>(write: Write<T>) => Promise<T>) => TableStore;
}): Workforce {
  const { database, trials, queue, limits } = parts;
  const jobs = new JobWrites(database, trials);
  const trialChanges = (runId: string) =>
    changesOf(database, {
      ...{ table: 'trials', owner: 'run_id', id: columnText(runId), columns: TRIAL_COLUMNS },
      ...{ key: ['scenario_index', 'case_index', 'trial_number'], isNumber: true },
    });

  return {
    queue,
    limits,
    ofJob: (lease) => jobRecorder(lease, jobs, parts),
    async addEarlierCost(trial, cost) {
      let wanted: string | null = null;
      const first = trials.saveFirst({ ...trial, trace_id: null, result: null, earlier_cost: cost });
      await database.write({
        texts: first.texts,
        async change(sql) {
          if (await first.change(sql)) {
            wanted = costText(cost);
            return;
          }
          const stored = await lockedCost(sql, trial);
          // An attempt whose commit got no answer may have added it already.
          if (stored === null || (sql.isRepeated && stored.text === wanted)) return;
          wanted = costText(addCosts(stored.cost, cost));
          await sql.query(
            `UPDATE ${SCHEMA}.trials SET earlier_cost = $5, written = pg_current_xact_id() WHERE ${IS_TRIAL}`,
            [...keyOf(trial), wanted],
          );
        },
      });
    },
    cursor: () => changeCursor(database),
    async changedTrials(runId, since) {
      const { rows, decode, cursor } = await trialChanges(runId).read(since);
      return { results: trials.read(rows, decode), cursor };
    },
  };
}

const IS_TRIAL = 'run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4';

function keyOf({ run_id, scenario_index, case_index, trial_number }: TrialKey): unknown[] {
  return [columnText(run_id), scenario_index, case_index, trial_number];
}

/** What earlier attempts of a trial cost, which no other process can change until the end of the transaction. */
async function lockedCost(
  sql: Transaction,
  trial: TrialKey,
): Promise<{ text: string | null; cost: TrialCost | null } | null> {
  const [row] = await sql.query(`SELECT earlier_cost FROM ${SCHEMA}.trials WHERE ${IS_TRIAL} FOR UPDATE`, keyOf(trial));
  if (row === undefined) return null;
  const text = row.earlier_cost === null ? null : String(row.earlier_cost);
  return { text, cost: text === null ? null : trialCostSchema.parse(JSON.parse(text)) };
}

function jobRecorder(
  lease: JobLease,
  jobs: JobWrites,
  { database, trials, reading, tablesBy }: Parameters<typeof createWorkforce>[0],
): JobRecorder {
  /** `earlier_cost` of the trials of this job, as the worker that performs it knows it. */
  const knownCosts = new Map<string, TrialCost | null>();
  const nameOf = (trial: TrialKey): string => JSON.stringify(keyOf(trial));
  /** Nothing if this job has not read the trial: it is the first attempt. */
  const known = (trial: TrialKey): TrialCost | null => knownCosts.get(nameOf(trial)) ?? null;

  const leased = <T>(write: Write<T>): Promise<T> => jobs.write({ ...write, lease, ends: false });

  /** With what somebody else has added to its earlier cost since it was read. */
  function saving(trial: StoredTrial, { texts, change }: Write<boolean>): Write<TrialCost | null> {
    return {
      texts,
      async change(sql) {
        if (await change(sql)) return trial.earlier_cost;
        const stored = await lockedCost(sql, trial);
        const earlier_cost = plusDifference(trial.earlier_cost, known(trial), stored?.cost ?? null);
        await trials.save({ ...trial, earlier_cost }).change(sql);
        return earlier_cost;
      },
    };
  }

  return {
    ...reading,
    ...tablesBy(leased),
    async getTrial(runId, place) {
      const trial = await reading.getTrial(runId, place);
      const key = { run_id: runId, scenario_index: place.scenario, case_index: place.case, trial_number: place.trial };
      knownCosts.set(nameOf(key), trial?.earlier_cost ?? null);
      return trial;
    },
    async saveTrace(trace, trial) {
      const { traceId, ...write } = trials.saveTrace(trace, trial, trial && known(trial));
      if (!trial) {
        await leased(write);
        return traceId;
      }
      await leased(saving({ ...trial, trace_id: traceId, result: null }, write));
      // As the caller knows it: what somebody else has added must be kept by the next write as well.
      knownCosts.set(nameOf(trial), trial.earlier_cost);
      return traceId;
    },
    async saveFinished(trace, trial) {
      const { traceId, row, ...write } = trials.saveTrace(trace, trial, known(trial));
      const finished = trialWithTrace(trial, traceId);
      const cost = await ending(finished, saving(finished, write), row);
      knownCosts.set(nameOf(trial), cost);
      return { ...finished, earlier_cost: cost };
    },
    async saveTrial(trial) {
      const write = saving(trial, trials.save(trial, known(trial)));
      const cost = trial.result === null ? await leased(write) : await ending(trial, write);
      knownCosts.set(nameOf(trial), cost);
      return { ...trial, earlier_cost: cost };
    },
  };

  /** The result is stored and the job ended together, or neither is. */
  function ending(trial: StoredTrial, write: Write<TrialCost | null>, row?: TrialRow): Promise<TrialCost | null> {
    return jobs.write({
      ...{ ...write, lease, ends: true },
      row: row && { values: row, value: trial.earlier_cost },
      // The order may have been closed since, because all results are there.
      isMade: async (sql) => ((await isStored(sql, trial)) ? { value: trial.earlier_cost } : null),
    });
  }

  async function isStored(sql: Transaction, trial: StoredTrial): Promise<boolean> {
    const rows = await sql.query(`SELECT ${TRIAL_COLUMNS} FROM ${SCHEMA}.trials WHERE ${IS_TRIAL}`, keyOf(trial));
    const [stored] = trials.read(rows, await database.decoderFor(sql, rows));
    return JSON.stringify(stored?.result) === JSON.stringify(trial.result);
  }
}

/** What was to be stored, and by how much the stored value has grown since it was read. */
function plusDifference(given: TrialCost | null, known: TrialCost | null, stored: TrialCost | null): TrialCost | null {
  return stored === null ? given : addCosts(given, trialCostSince(known, stored));
}

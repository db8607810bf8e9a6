import type { LimitTable } from 'salvo/kit/models';
import type { JobLease, WorkQueue } from 'salvo/kit/queue';
import { addCosts, type StoredTrial, type TrialCost, trialCostSince, withoutVotesBilled } from 'salvo/kit/run';
import {
  type JobRecorder,
  type TableStore,
  type TrialTables,
  trialCostSchema,
  type WorkerAccess,
} from 'salvo/kit/store';
import { changeCursor } from './changes.ts';
import { JobWrites } from './job-writes.ts';
import type { StoreDatabase, Write } from './store-database.ts';
import {
  costText,
  isResultStored,
  keyOf,
  lockCost,
  savingBoth,
  savingFirst,
  savingTrace,
  savingTrial,
  type TrialKey,
  type TrialRow,
  updateCost,
} from './trial-writes.ts';

/** What workers write, and what the coordinator reads of it. */
export function createWorkerAccess(parts: {
  database: StoreDatabase;
  queue: WorkQueue;
  limits: LimitTable;
  trials: Pick<TrialTables, 'getTrace' | 'getTrial'>;
  changedTrials: WorkerAccess['changedTrials'];
  /** Tables that write with this function to their work. */
  tablesBy: (writeTo: <T>(write: Write<T>) => Promise<T>) => TableStore;
}): WorkerAccess {
  const { database, queue, limits, changedTrials } = parts;
  const jobs = new JobWrites(database);
  return {
    queue,
    limits,
    ofJob: (lease) => jobRecorder(lease, jobs, parts),
    async addEarlierCost(trial, cost, { unlessJudged = false } = {}) {
      let wanted: string | null = null;
      const first = savingFirst({ ...trial, trace_id: null, result: null, earlier_cost: cost });
      return await database.write({
        texts: first.texts,
        async change(sql) {
          if (await first.change(sql)) {
            wanted = costText(cost);
            return true;
          }
          const stored = await lockCost(sql, trial);
          // An attempt whose commit got no answer may have added it already.
          if (stored === null || (sql.isRepeated && stored.text === wanted)) return true;
          if (unlessJudged && stored.hasResult) return false;
          wanted = costText(addCosts(readCost(stored.text), cost));
          await updateCost(sql, trial, wanted);
          return true;
        },
      });
    },
    cursor: () => changeCursor(database),
    changedTrials,
  };
}

function readCost(text: string | null): TrialCost | null {
  return text === null ? null : trialCostSchema.parse(JSON.parse(text));
}

function jobRecorder(
  lease: JobLease,
  jobs: JobWrites,
  { trials, tablesBy }: Parameters<typeof createWorkerAccess>[0],
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
        const stored = readCost((await lockCost(sql, trial))?.text ?? null);
        const earlier_cost = plusDifference(trial, known(trial), stored);
        await savingTrial({ ...trial, earlier_cost }).change(sql);
        return earlier_cost;
      },
    };
  }

  return {
    getTrace: trials.getTrace,
    ...tablesBy(leased),
    async getTrial(runId, place) {
      const trial = await trials.getTrial(runId, place);
      const key = { run_id: runId, scenario_index: place.scenario, case_index: place.case, trial_number: place.trial };
      knownCosts.set(nameOf(key), trial?.earlier_cost ?? null);
      return trial;
    },
    async saveTrace(trace, trial) {
      if (!trial) {
        const { traceId, ...write } = savingTrace(trace);
        await leased(write);
        return traceId;
      }
      const { traceId, saved, row: _, ...write } = savingBoth(trace, trial, known(trial));
      await leased(saving(saved, write));
      // As the caller knows it: what somebody else has added must be kept by the next write as well.
      knownCosts.set(nameOf(trial), trial.earlier_cost);
      return traceId;
    },
    async saveFinished(trace, trial) {
      const { saved, row, ...write } = savingBoth(trace, trial, known(trial));
      return await saveKnown(saved, write, row);
    },
    saveTrial: (trial) => saveKnown(trial, savingTrial(trial, known(trial))),
  };

  /** The result is stored and the job ended together, or neither is. A trial without a result ends nothing. */
  async function saveKnown(trial: StoredTrial, write: Write<boolean>, row?: TrialRow): Promise<StoredTrial> {
    const earlier_cost = await jobs.write({
      ...{ ...saving(trial, write), lease, ends: trial.result !== null },
      row: row && { values: row, value: trial.earlier_cost },
      // The order may have been closed since, because all results are there.
      isMade: async (sql) => ((await isResultStored(sql, trial)) ? { value: trial.earlier_cost } : null),
    });
    knownCosts.set(nameOf(trial), earlier_cost);
    return { ...trial, earlier_cost };
  }
}

/** What was to be stored, and by how much the stored value has grown since it was read. */
function plusDifference(
  { earlier_cost, result }: StoredTrial,
  known: TrialCost | null,
  stored: TrialCost | null,
): TrialCost | null {
  if (stored === null) return earlier_cost;
  return addCosts(earlier_cost, withoutVotesBilled(trialCostSince(known, stored), result));
}

import type { DatabaseSync } from 'node:sqlite';
import type { StoredTrial } from '../../run/record/run-record.ts';
import { encode } from '../documents/document-codec.ts';
import { danglingTrial } from '../documents/trial-rows.ts';
import type { Write } from './blob-table.ts';
import { isForeignKeyError } from './sqlite-error.ts';

const KEY = 'run_id, scenario_index, case_index, trial_number';
const BY_KEY = 'WHERE run_id = ? AND scenario_index = ? AND case_index = ? AND trial_number = ?';

/** Returns a function that saves a trial. Its statements are not written once for all stores: most of a run's time is here. */
export function trialWriter(database: DatabaseSync): (trial: StoredTrial) => Write {
  const insert = database.prepare(
    `INSERT INTO trials (${KEY}, "case", trace_id, result_id, status, earlier_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (${KEY}) DO NOTHING`,
  );
  const selectStored = database.prepare(`SELECT trace_id, result_id FROM trials ${BY_KEY}`);
  // The trace is indexed and has a foreign key: to leave it alone saves most of what an update costs.
  const update = database.prepare(`UPDATE trials SET result_id = ?, status = ?, earlier_cost = ? ${BY_KEY}`);
  const updateTrace = database.prepare(`UPDATE trials SET trace_id = ? ${BY_KEY}`);
  const insertResult = database.prepare('INSERT INTO results (result) VALUES (?)');
  const deleteResult = database.prepare('DELETE FROM results WHERE result_id = ?');

  return ({ run_id, scenario_index, case_index, case: caseName, trial_number, trace_id, result, earlier_cost }) => {
    const encoded = result === null ? null : encode(`Trial ${trial_number}`, result);
    const cost = earlier_cost === null ? null : JSON.stringify(earlier_cost);
    return {
      blobs: encoded?.blobs ?? new Map(),
      change() {
        try {
          const key = [run_id, scenario_index, case_index, trial_number];
          const resultId = encoded ? insertResult.run(encoded.document).lastInsertRowid : null;
          const status = result?.status ?? null;
          // Most trials are saved once.
          if (insert.run(...key, caseName, trace_id, resultId, status, cost).changes === 1) return;
          const stored = selectStored.get(...key);
          if (stored?.trace_id !== trace_id) updateTrace.run(trace_id, ...key);
          update.run(resultId, status, cost, ...key);
          if (stored?.result_id) deleteResult.run(stored.result_id);
        } catch (cause) {
          throw isForeignKeyError(cause) ? danglingTrial({ run_id, scenario_index, trace_id }, cause) : cause;
        }
      },
    };
  };
}

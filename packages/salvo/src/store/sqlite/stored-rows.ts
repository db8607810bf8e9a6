import type { DatabaseSync } from 'node:sqlite';
import type { Decoder } from '../documents/document-codec.ts';
import { rawRow } from '../documents/raw-row.ts';
import type { StoredRow } from '../store.ts';

const TRIALS = `trials LEFT JOIN results USING (result_id) LEFT JOIN traces USING (trace_id) WHERE run_id = :run
  AND (scenario_index, case_index, trial_number) > (:scenario, :case, :trial)
  ORDER BY scenario_index, case_index, trial_number LIMIT 1`;

/** Everything that is stored of a run, whether it can be read or not: the run, its scenarios, then trial by trial. */
export function* storedRows(database: DatabaseSync, decode: Decoder, runId: string): Generator<StoredRow> {
  for (const table of ['runs', 'run_scenarios']) {
    const rows = database.prepare(`SELECT * FROM ${table} WHERE run_id = ?`).all(runId);
    for (const row of rows) yield rawRow(table, row, decode);
  }
  const next = database.prepare(`SELECT trials.*, result, document AS trace FROM ${TRIALS}`);
  for (let after = { scenario: -1, case: -1, trial: -1 }; ; ) {
    const row = next.get({ run: runId, ...after });
    if (row === undefined) return;
    yield rawRow('trials', row, decode);
    const { scenario_index, case_index, trial_number } = row;
    after = { scenario: Number(scenario_index), case: Number(case_index), trial: Number(trial_number) };
  }
}

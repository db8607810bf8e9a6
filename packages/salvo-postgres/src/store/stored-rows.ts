import { rawRow, type StoredRow } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import { columnText } from './column-text.ts';
import type { StoreDatabase } from './store-database.ts';

const TRIALS = `SELECT run_id, scenario_index, case_index, trial_number, "case", trace_id, status, result, earlier_cost,
    document AS trace
  FROM ${SCHEMA}.trials LEFT JOIN ${SCHEMA}.traces USING (trace_id)
  WHERE run_id = $1 AND (scenario_index, case_index, trial_number) > ($2, $3, $4)
  ORDER BY scenario_index, case_index, trial_number LIMIT 1`;

/** Everything that is stored of a run, whether it can be read or not: the run, its scenarios, then trial by trial. */
export async function* storedRows(database: StoreDatabase, runId: string): AsyncGenerator<StoredRow> {
  for (const table of ['runs', 'run_scenarios']) {
    const { rows, decode } = await database.select(`SELECT * FROM ${SCHEMA}.${table} WHERE run_id = $1`, [
      columnText(runId),
    ]);
    for (const row of rows) yield rawRow(table, row, decode);
  }
  for (let after = [-1, -1, -1]; ; ) {
    const { rows, decode } = await database.select(TRIALS, [columnText(runId), ...after], 'stored-rows');
    const [row] = rows;
    if (row === undefined) return;
    yield rawRow('trials', row, decode);
    after = [row.scenario_index, row.case_index, row.trial_number].map(Number);
  }
}

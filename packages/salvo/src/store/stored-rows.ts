import { z } from 'zod';
import { isUnreadable } from '../text/errors/unreadable-error.ts';
import type { Decoder } from './documents/document-codec.ts';
import type { StoredRow } from './store.ts';
import type { TableEngine } from './table-module.ts';

/** SQLite has results in a table of their own. */
const TRIALS = {
  sqlite: 'trials.*, result, document AS trace FROM @trials LEFT JOIN @results USING (result_id)',
  postgres: `run_id, scenario_index, case_index, trial_number, "case", trace_id, status, result, earlier_cost,
    document AS trace FROM @trials`,
};

/** Everything that is stored of a run, whether it can be read or not: the run, its scenarios, then trial by trial. */
export async function* storedRows(engine: TableEngine, runId: string): AsyncGenerator<StoredRow> {
  for (const table of ['runs', 'run_scenarios']) {
    yield* await engine.select(`SELECT * FROM @${table} WHERE run_id = $1`, [runId], (row) =>
      rawRow(table, row.columns([]), row.decode),
    );
  }
  for (let after = [-1, -1, -1]; ; ) {
    const [row] = await engine.select(
      `SELECT ${TRIALS[engine.dialect]} LEFT JOIN @traces USING (trace_id) WHERE run_id = $1
       AND (scenario_index, case_index, trial_number) > ($2, $3, $4)
       ORDER BY scenario_index, case_index, trial_number LIMIT 1`,
      [runId, ...after],
      (found) => rawRow('trials', found.columns([]), found.decode),
    );
    if (row === undefined) return;
    yield row;
    after = [row.row.scenario_index, row.row.case_index, row.row.trial_number].map(Number);
  }
}

/** A row as it is stored, with its documents as values. What can't be read of them is a text. */
function rawRow(table: string, row: Record<string, unknown>, decode: Decoder): StoredRow {
  const columns = Object.entries(row).map(([name, value]) => [name, rawValue(value, decode)]);
  return { table, row: Object.fromEntries(columns) };
}

function rawValue(value: unknown, decode: Decoder): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return decode('A document', z.unknown(), value);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return value;
  }
}

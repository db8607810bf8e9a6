import type { StoredTrial, TrialCost } from 'salvo/kit/run';
import type { AtLeast } from 'salvo/kit/stats';
import { danglingTrial, encode, outcomeDocument, traceIdOf } from 'salvo/kit/store';
import { errorCode } from 'salvo/kit/text';
import type { Trace } from 'salvo/kit/trace';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Sql } from '../postgres/postgres.ts';
import { columnText, nullableText } from './column-text.ts';
import type { Write } from './store-database.ts';

export type TrialKey = Pick<StoredTrial, 'run_id' | 'scenario_index' | 'case_index' | 'trial_number'>;

/** A trial whose trace gets its id when it is stored. */
type TrialOfTrace = Omit<StoredTrial, 'trace_id' | 'result'> & Partial<Pick<StoredTrial, 'result'>>;

const TRIALS = `${SCHEMA}.trials`;
const KEY = 'run_id, scenario_index, case_index, trial_number';
const COLUMNS = `${KEY}, "case", trace_id, result, earlier_cost, outcome, status`;
const IS_TRIAL = 'run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4';
const INSERT_TRACE = `INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
/** No foreign key leads to the scenario: all writers of a run would have to lock its one row. */
const SAVE_ROWS = `WITH given AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[]) AS given (${COLUMNS}, document)
  ), trace AS (
    -- In order, so that two writers of the same traces cannot wait for each other.
    INSERT INTO ${SCHEMA}.traces (trace_id, document)
    SELECT trace_id, document FROM given WHERE document IS NOT NULL ORDER BY trace_id
    ON CONFLICT DO NOTHING
  )
  INSERT INTO ${TRIALS} (${COLUMNS}, written)
  SELECT ${COLUMNS}, pg_current_xact_id() FROM given
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios
    WHERE run_scenarios.run_id = given.run_id AND run_scenarios.scenario_index = given.scenario_index)
  ON CONFLICT (${KEY}) DO UPDATE SET trace_id = excluded.trace_id, result = excluded.result,
    earlier_cost = excluded.earlier_cost, outcome = excluded.outcome, status = excluded.status,
    written = excluded.written
  WHERE $12 = 'any' OR $12 = 'cost' AND trials.earlier_cost IS NOT DISTINCT FROM $13 RETURNING ${KEY}`;

/** The values of all columns of a trial, and the document of its trace; null if that is stored already. */
export type TrialRow = readonly unknown[];
const ROW_LENGTH = 11;

/** Which stored trial is replaced: any, none, or only one whose `earlier_cost` is this. */
type Replaced = 'any' | 'none' | { cost: TrialCost | null };

/** Writes different trials with one statement. Says of each whether it was written. */
export async function saveRows(sql: Sql, rows: readonly TrialRow[], replaced: Replaced): Promise<boolean[]> {
  const columns = Array.from({ length: ROW_LENGTH }, (_, column) => rows.map((row) => row[column]));
  const which = typeof replaced === 'string' ? [replaced, null] : ['cost', costText(replaced.cost)];
  const nameOf = (key: readonly unknown[]): string => JSON.stringify(key.map(String));
  const written = await sql.query(SAVE_ROWS, [...columns, ...which], 'save-rows');
  const names = new Set(
    written.map((row) => nameOf([row.run_id, row.scenario_index, row.case_index, row.trial_number])),
  );
  return rows.map((row) => names.has(nameOf(row.slice(0, 4))));
}

/** Returns whether the trial was written. */
export function savingTrial(trial: StoredTrial, replaced: Replaced = 'any'): Write<boolean> {
  const { columns, texts } = columnsOf(trial);
  return { texts, change: (sql) => saveRow(sql, trial, [...columns, null], replaced) };
}

/** A trace without a trial. */
export function savingTrace(trace: Trace): Write & { traceId: string } {
  const encoded = encode('A trace', trace);
  const traceId = traceIdOf(encoded, trace);
  return {
    traceId,
    texts: encoded.blobs,
    async change(sql) {
      await sql.query(INSERT_TRACE, [traceId, encoded.document], 'save-trace');
    },
  };
}

/** A trace together with its trial, which has no result if it has none yet. `saveRows` can write `row` with others. */
export function savingBoth(
  trace: Trace,
  { result = null, ...trial }: TrialOfTrace,
  replaced: Replaced = 'any',
): Write<boolean> & { saved: StoredTrial; traceId: string; row: TrialRow } {
  const encoded = encode('A trace', trace);
  const traceId = traceIdOf(encoded, trace);
  const saved: StoredTrial = { ...trial, trace_id: traceId, result: result && { ...result, trace_id: traceId } };
  const { columns, texts } = columnsOf(saved);
  const row = [...columns, encoded.document];
  return {
    ...{ saved, traceId, texts: new Map([...encoded.blobs, ...texts]), row },
    change: (sql) => saveRow(sql, saved, row, replaced),
  };
}

/** What earlier attempts of a trial cost, which no other process can change until the end of the transaction. */
export async function lockCost(sql: Sql, trial: TrialKey): Promise<{ text: string | null } | null> {
  const [row] = await sql.query(`SELECT earlier_cost FROM ${TRIALS} WHERE ${IS_TRIAL} FOR UPDATE`, keyOf(trial));
  return row ? { text: row.earlier_cost === null ? null : String(row.earlier_cost) } : null;
}

export async function updateCost(sql: Sql, trial: TrialKey, cost: string | null): Promise<void> {
  const set = 'earlier_cost = $5, written = pg_current_xact_id()';
  await sql.query(`UPDATE ${TRIALS} SET ${set} WHERE ${IS_TRIAL}`, [...keyOf(trial), cost]);
}

/** Whether exactly this result is stored of the trial. */
export async function isResultStored(sql: Sql, trial: StoredTrial): Promise<boolean> {
  const { result } = columnsOf(trial);
  const found = await sql.query(`SELECT 1 FROM ${TRIALS} WHERE ${IS_TRIAL} AND result = $5`, [...keyOf(trial), result]);
  return found.length > 0;
}

async function saveRow(sql: Sql, trial: StoredTrial, row: TrialRow, replaced: Replaced): Promise<boolean> {
  try {
    const [isWritten = false] = await saveRows(sql, [row], replaced);
    if (!isWritten && replaced !== 'none' && !(await isScenario(sql, trial))) throw danglingTrial(trial, undefined);
    return isWritten;
  } catch (cause) {
    throw errorCode(cause) === '23503' ? danglingTrial(trial, cause) : cause;
  }
}

/** The values of the columns, and the long texts in them. */
function columnsOf(trial: StoredTrial): { columns: unknown[]; result: string | null; texts: Map<string, string> } {
  const encoded = trial.result === null ? null : encode(`Trial ${trial.trial_number}`, trial.result);
  const outcome = encode(`Trial ${trial.trial_number}`, outcomeDocument(trial));
  const result = encoded?.document ?? null;
  return {
    columns: [
      ...[...keyOf(trial), nullableText(trial.case), nullableText(trial.trace_id), result],
      ...[costText(trial.earlier_cost), outcome.document, trial.result?.status ?? null],
    ],
    result,
    texts: new Map([...(encoded?.blobs ?? []), ...outcome.blobs]),
  };
}

export function keyOf({ run_id, scenario_index, case_index, trial_number }: TrialKey): unknown[] {
  return [columnText(run_id), scenario_index, case_index, trial_number];
}

/** Always in the same form, so that two can be compared as texts. */
export function costText(cost: TrialCost | null): string | null {
  if (cost === null) return null;
  const { cost_usd, cost_at_least, judge_cost_usd, judge_cost_at_least, user_cost_usd, user_cost_at_least } = cost;
  const inOrder = (part: AtLeast | undefined) =>
    part && { usd: part.usd, calls_unknown: part.calls_unknown, ...(part.killed && { killed: true }) };
  return JSON.stringify({
    ...{ cost_usd, cost_at_least: inOrder(cost_at_least) },
    ...{ judge_cost_usd, judge_cost_at_least: inOrder(judge_cost_at_least) },
    ...{ user_cost_usd, user_cost_at_least: inOrder(user_cost_at_least) },
  });
}

async function isScenario(sql: Sql, { run_id, scenario_index }: StoredTrial): Promise<boolean> {
  const found = await sql.query(`SELECT 1 FROM ${SCHEMA}.run_scenarios WHERE run_id = $1 AND scenario_index = $2`, [
    columnText(run_id),
    scenario_index,
  ]);
  return found.length > 0;
}

import type { StoredTrial, TrialCost } from 'salvo/kit/run';
import type { AtLeast } from 'salvo/kit/stats';
import { danglingTrial, encode, outcomeDocument, traceIdOf } from 'salvo/kit/store';
import { errorCode } from 'salvo/kit/text';
import type { Trace } from 'salvo/kit/trace';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Sql, Transaction } from '../postgres/postgres.ts';
import { columnText, nullableText } from './column-text.ts';
import type { Write } from './store-database.ts';

export type TrialKey = Pick<StoredTrial, 'run_id' | 'scenario_index' | 'case_index' | 'trial_number'>;

/** A trial whose trace gets its id when it is stored. */
type TrialOfTrace = Omit<StoredTrial, 'trace_id' | 'result'> & Partial<Pick<StoredTrial, 'result'>>;

const TRIALS = `${SCHEMA}.trials`;
const KEY = 'run_id, scenario_index, case_index, trial_number';
const COLUMNS = `${KEY}, "case", trace_id, result, earlier_cost, outcome, status`;
const IS_TRIAL = 'run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4';

/** No foreign key leads to the scenario: all writers of a run would have to lock its one row. */
const INSERT = `INSERT INTO ${TRIALS} (${COLUMNS}, written)
  SELECT $1, $2::integer, $3::integer, $4::integer, $5, $6, $7, $8, $9, $10, pg_current_xact_id()
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios WHERE run_id = $1 AND scenario_index = $2)`;
const INSERT_FIRST = `${INSERT} ON CONFLICT DO NOTHING`;
const REPLACE = `ON CONFLICT (${KEY}) DO UPDATE SET trace_id = excluded.trace_id, result = excluded.result,
    earlier_cost = excluded.earlier_cost, outcome = excluded.outcome, status = excluded.status,
    written = excluded.written`;
const UPSERT = `${INSERT} ${REPLACE}`;
const INSERT_TRACE = `INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
const UPSERT_WITH_TRACE = `WITH trace AS (
    INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($6, $11) ON CONFLICT DO NOTHING
  ) ${UPSERT}`;
const SAVE_ROWS = `WITH given AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[]) AS given (${COLUMNS}, document)
  ), trace AS (
    -- In order, so that two writers of the same traces cannot wait for each other.
    INSERT INTO ${SCHEMA}.traces (trace_id, document) SELECT trace_id, document FROM given ORDER BY trace_id
    ON CONFLICT DO NOTHING
  )
  INSERT INTO ${TRIALS} (${COLUMNS}, written)
  SELECT ${COLUMNS}, pg_current_xact_id() FROM given
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios
    WHERE run_scenarios.run_id = given.run_id AND run_scenarios.scenario_index = given.scenario_index)
  ${REPLACE} WHERE trials.earlier_cost IS NULL RETURNING ${KEY}`;

/** A trial with its trace: the values of all columns. */
export type TrialRow = readonly unknown[];
const ROW_LENGTH = 11;

/** Writes different trials with one statement, but those that have an earlier cost. Says of each whether it was written. */
export async function saveRows(sql: Sql, rows: readonly TrialRow[]): Promise<boolean[]> {
  const columns = Array.from({ length: ROW_LENGTH }, (_, column) => rows.map((row) => row[column]));
  const nameOf = (key: readonly unknown[]): string => JSON.stringify(key.map(String));
  const written = await sql.query(SAVE_ROWS, columns, 'save-rows');
  const names = new Set(
    written.map((row) => nameOf([row.run_id, row.scenario_index, row.case_index, row.trial_number])),
  );
  return rows.map((row) => names.has(nameOf(row.slice(0, 4))));
}

/**
 * Returns whether the trial was written. `unlessChanged`: not if `earlier_cost` of the stored trial is another than this
 * one.
 */
export function savingTrial(trial: StoredTrial, unlessChanged?: TrialCost | null): Write<boolean> {
  const { columns, texts } = columnsOf(trial);
  const statement = { text: UPSERT, name: 'save-trial', values: columns };
  return { texts, change: (sql) => upsert(sql, trial, statement, unlessChanged) };
}

/** Returns whether the trial was written: not if anything is stored of it. */
export function savingFirst(trial: StoredTrial): Write<boolean> {
  const { columns, texts } = columnsOf(trial);
  const statement = { text: INSERT_FIRST, name: 'save-first-of-trial', values: columns };
  return { texts, change: (sql) => execute(sql, trial, statement) };
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

/**
 * A trace together with its trial, which has no result if it has none yet. Returns whether it was written, as
 * `savingTrial`. `saveRows` can write `row`, if no earlier attempt of the trial is known to have cost anything.
 */
export function savingBoth(
  trace: Trace,
  { result = null, ...trial }: TrialOfTrace,
  unlessChanged?: TrialCost | null,
): Write<boolean> & { saved: StoredTrial; traceId: string; row: TrialRow | undefined } {
  const encoded = encode('A trace', trace);
  const traceId = traceIdOf(encoded, trace);
  const saved: StoredTrial = { ...trial, trace_id: traceId, result: result && { ...result, trace_id: traceId } };
  const { columns, texts } = columnsOf(saved);
  const values = [...columns, encoded.document];
  const statement = { text: UPSERT_WITH_TRACE, name: 'save-trace-and-trial', values };
  return {
    ...{ saved, traceId, texts: new Map([...encoded.blobs, ...texts]) },
    row: unlessChanged === null ? values : undefined,
    change: (sql) => upsert(sql, saved, statement, unlessChanged),
  };
}

/** What earlier attempts of a trial cost, which no other process can change until the end of the transaction. */
export async function lockCost(sql: Sql, trial: TrialKey): Promise<{ text: string | null; hasResult: boolean } | null> {
  const columns = 'earlier_cost, result IS NOT NULL AS has_result';
  const [row] = await sql.query(`SELECT ${columns} FROM ${TRIALS} WHERE ${IS_TRIAL} FOR UPDATE`, keyOf(trial));
  if (!row) return null;
  return { text: row.earlier_cost === null ? null : String(row.earlier_cost), hasResult: row.has_result === true };
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

interface TrialStatement {
  text: string;
  name: string;
  values: unknown[];
}

async function upsert(
  sql: Transaction,
  trial: StoredTrial,
  statement: TrialStatement,
  unlessChanged: TrialCost | null | undefined,
): Promise<boolean> {
  const { text, name, values } = statement;
  const isWritten =
    unlessChanged === undefined
      ? await execute(sql, trial, statement)
      : await execute(sql, trial, {
          text: `${text} WHERE trials.earlier_cost IS NOT DISTINCT FROM $${values.length + 1}`,
          name: `${name}-unless`,
          values: [...values, costText(unlessChanged)],
        });
  if (!isWritten && !(await isScenario(sql, trial))) throw danglingTrial(trial, undefined);
  return isWritten;
}

async function execute(sql: Sql, trial: StoredTrial, { text, name, values }: TrialStatement): Promise<boolean> {
  try {
    return (await sql.query(`${text} RETURNING 1`, values, name)).length > 0;
  } catch (cause) {
    throw errorCode(cause) === '23503' ? danglingTrial(trial, cause) : cause;
  }
}

/** The values of the statements above, from $1 to $10. */
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

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
const IS_TRIAL = 'run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4';

/** No foreign key leads to the scenario: all writers of a run would have to lock its one row. */
const INSERT = `INSERT INTO ${TRIALS} (${KEY}, "case", trace_id, result, earlier_cost, outcome, status, written)
  SELECT $1, $2::integer, $3::integer, $4::integer, $5, $6, $7, $8, $9, $10, pg_current_xact_id()
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios WHERE run_id = $1 AND scenario_index = $2)`;
const INSERT_FIRST = `${INSERT} ON CONFLICT DO NOTHING`;
const UPSERT = `${INSERT}
  ON CONFLICT (${KEY}) DO UPDATE SET trace_id = excluded.trace_id, result = excluded.result,
    earlier_cost = excluded.earlier_cost, outcome = excluded.outcome, status = excluded.status,
    written = excluded.written`;
const INSERT_TRACE = `INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
const UPSERT_WITH_TRACE = `WITH trace AS (
    INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($6, $11) ON CONFLICT DO NOTHING
  ) ${UPSERT}`;

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
  const traceId = traceIdOf(encoded);
  return {
    traceId,
    texts: encoded.blobs,
    async change(sql) {
      await sql.query(INSERT_TRACE, [traceId, encoded.document], 'save-trace');
    },
  };
}

/** A trace together with its trial, which has no result if it has none yet. Returns whether it was written, as `savingTrial`. */
export function savingBoth(
  trace: Trace,
  { result = null, ...trial }: TrialOfTrace,
  unlessChanged?: TrialCost | null,
): Write<boolean> & { saved: StoredTrial; traceId: string } {
  const encoded = encode('A trace', trace);
  const traceId = traceIdOf(encoded);
  const saved: StoredTrial = { ...trial, trace_id: traceId, result: result && { ...result, trace_id: traceId } };
  const { columns, texts } = columnsOf(saved);
  const statement = { text: UPSERT_WITH_TRACE, name: 'save-trace-and-trial', values: [...columns, encoded.document] };
  return {
    ...{ saved, traceId, texts: new Map([...encoded.blobs, ...texts]) },
    change: (sql) => upsert(sql, saved, statement, unlessChanged),
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
  const { cost_usd, cost_at_least, judge_cost_usd, judge_cost_at_least } = cost;
  const inOrder = (part: AtLeast | undefined) =>
    part && { usd: part.usd, calls_unknown: part.calls_unknown, ...(part.killed && { killed: true }) };
  return JSON.stringify({
    ...{ cost_usd, cost_at_least: inOrder(cost_at_least) },
    ...{ judge_cost_usd, judge_cost_at_least: inOrder(judge_cost_at_least) },
  });
}

async function isScenario(sql: Sql, { run_id, scenario_index }: StoredTrial): Promise<boolean> {
  const found = await sql.query(`SELECT 1 FROM ${SCHEMA}.run_scenarios WHERE run_id = $1 AND scenario_index = $2`, [
    columnText(run_id),
    scenario_index,
  ]);
  return found.length > 0;
}

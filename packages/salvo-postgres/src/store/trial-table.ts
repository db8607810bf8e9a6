import type { StoredTrial, TrialCost, TrialHead, TrialOutcome } from 'salvo/kit/run';
import type { AtLeast } from 'salvo/kit/stats';
import { type Decoder, danglingTrial, encode, outcomeDocument, traceIdOf, trialRows } from 'salvo/kit/store';
import { errorCode } from 'salvo/kit/text';
import type { Trace } from 'salvo/kit/trace';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row, Sql } from '../postgres/postgres.ts';
import { columnText, nullableText, withTexts } from './column-text.ts';
import type { StoreDatabase, Write } from './store-database.ts';

export type TrialKey = Pick<StoredTrial, 'run_id' | 'scenario_index' | 'case_index' | 'trial_number'>;

/** A trial whose trace gets its id when it is stored. */
export type TrialOfTrace = Omit<StoredTrial, 'trace_id' | 'result'> & Partial<Pick<StoredTrial, 'result'>>;

/** A trial with its trace: the values of all columns. */
export type TrialRow = readonly unknown[];

export interface TrialTable {
  /**
   * Returns whether the trial was written. `unlessChanged`: not if `earlier_cost` of the stored trial is another than
   * this one.
   */
  save(trial: StoredTrial, unlessChanged?: TrialCost | null): Write<boolean>;
  /** Returns whether the trial was written: not if anything is stored of it. */
  saveFirst(trial: StoredTrial): Write<boolean>;
  /**
   * A trace, and its trial if there is one: without a result if it has none yet. `row` can be written by `saveRows`, if
   * no earlier attempt of the trial is known to have cost anything.
   */
  saveTrace(
    trace: Trace,
    trial?: TrialOfTrace,
    unlessChanged?: TrialCost | null,
  ): Write<boolean> & { traceId: string; row?: TrialRow | undefined };
  /** Writes different trials with one statement, but those that have an earlier cost. Says of each whether it was written. */
  saveRows(sql: Sql, rows: readonly TrialRow[]): Promise<boolean[]>;
  get(runId: string, place: { scenario: number; case: number; trial: number }): Promise<StoredTrial | null>;
  ofTrace(traceId: string): Promise<StoredTrial | null>;
  /** The first trials, or the next ones after a trial, in order: one page. */
  page(query: {
    runId: string;
    scenarioIndex: number | undefined;
    caseName: string | undefined;
    after: StoredTrial | undefined;
    size: number;
  }): Promise<StoredTrial[]>;
  outcomes(query: {
    runId: string;
    scenarioIndex?: number | undefined;
    offset: number;
    limit: number;
  }): Promise<TrialOutcome[]>;
  /** As `page`, without reading a result. */
  heads(query: { runId: string; after: TrialHead | undefined; size: number }): Promise<TrialHead[]>;
  /** The rows of a query for `COLUMNS`. */
  read(rows: readonly Row[], decode: Decoder): StoredTrial[];
}

const TRIALS = `${SCHEMA}.trials`;
const KEY = 'run_id, scenario_index, case_index, trial_number';
export const TRIAL_COLUMNS = `${KEY}, "case", trace_id, result, earlier_cost`;
/** Not of a run that was deleted. */
const IS_THERE = `EXISTS (SELECT 1 FROM ${SCHEMA}.runs WHERE runs.run_id = trials.run_id AND deleted_at IS NULL)`;
const ORDER = 'scenario_index, case_index, trial_number';

/** No foreign key leads to the scenario: all writers of a run would have to lock its one row. */
const INSERT = `INSERT INTO ${TRIALS} (${TRIAL_COLUMNS}, outcome, status, written)
  SELECT $1, $2::integer, $3::integer, $4::integer, $5, $6, $7, $8, $9, $10, pg_current_xact_id()
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios WHERE run_id = $1 AND scenario_index = $2)`;
const INSERT_FIRST = `${INSERT} ON CONFLICT DO NOTHING`;
const REPLACE = `ON CONFLICT (${KEY}) DO UPDATE SET trace_id = excluded.trace_id, result = excluded.result,
    earlier_cost = excluded.earlier_cost, outcome = excluded.outcome, status = excluded.status,
    written = excluded.written`;
const UPSERT = `${INSERT} ${REPLACE}`;
const UPSERT_UNLESS_CHANGED = `${UPSERT} WHERE trials.earlier_cost IS NOT DISTINCT FROM $11`;
const UPSERT_WITH_TRACE = `WITH trace AS (
    INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($6, $11) ON CONFLICT DO NOTHING
  ) ${UPSERT}`;
const UPSERT_WITH_TRACE_UNLESS_CHANGED = `${UPSERT_WITH_TRACE} WHERE trials.earlier_cost IS NOT DISTINCT FROM $12`;
const SAVE_ROWS = `WITH given AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[]) AS given (${TRIAL_COLUMNS}, outcome, status, document)
  ), trace AS (
    -- In order, so that two writers of the same traces cannot wait for each other.
    INSERT INTO ${SCHEMA}.traces (trace_id, document) SELECT trace_id, document FROM given ORDER BY trace_id
    ON CONFLICT DO NOTHING
  )
  INSERT INTO ${TRIALS} (${TRIAL_COLUMNS}, outcome, status, written)
  SELECT ${TRIAL_COLUMNS}, outcome, status, pg_current_xact_id() FROM given
  WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.run_scenarios
    WHERE run_scenarios.run_id = given.run_id AND run_scenarios.scenario_index = given.scenario_index)
  ${REPLACE} WHERE trials.earlier_cost IS NULL RETURNING ${KEY}`;
const INSERT_TRACE = `INSERT INTO ${SCHEMA}.traces (trace_id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

export function trialTable(database: StoreDatabase): TrialTable {
  const { place } = database;

  function read(rows: readonly Row[], decode: Decoder): StoredTrial[] {
    const { readTrial } = trialRows(place, decode);
    return rows.map((row) => readTrial(withTexts(row, ['run_id', 'case', 'trace_id'])));
  }

  async function select(text: string, values: unknown[], name: string): Promise<StoredTrial[]> {
    const { rows, decode } = await database.select(`SELECT ${TRIAL_COLUMNS} FROM ${TRIALS} ${text}`, values, name);
    return read(rows, decode);
  }

  async function upsert(sql: Sql, statement: { text: string; name: string }, trial: StoredTrial, values: unknown[]) {
    const { text, name } = statement;
    try {
      const written = await sql.query(`${text} RETURNING 1`, values, name);
      return written.length > 0;
    } catch (cause) {
      throw errorCode(cause) === '23503' ? danglingTrial(trial, cause) : cause;
    }
  }

  return {
    save(trial, unlessChanged) {
      const { columns, texts } = columnsOf(trial);
      const statement =
        unlessChanged === undefined
          ? { text: UPSERT, name: 'save-trial', values: columns }
          : { text: UPSERT_UNLESS_CHANGED, name: 'save-trial-unless', values: [...columns, costText(unlessChanged)] };
      return {
        texts,
        async change(sql) {
          const isWritten = await upsert(sql, statement, trial, statement.values);
          if (!isWritten && !(await isScenario(sql, trial))) throw danglingTrial(trial, undefined);
          return isWritten;
        },
      };
    },
    saveFirst(trial) {
      const { columns, texts } = columnsOf(trial);
      const statement = { text: INSERT_FIRST, name: 'save-first-of-trial' };
      return { texts, change: (sql) => upsert(sql, statement, trial, columns) };
    },
    saveTrace(trace, trial, unlessChanged) {
      const encoded = encode('A trace', trace);
      const { document, blobs } = encoded;
      const traceId = traceIdOf(encoded);
      if (!trial) {
        const change = async (sql: Sql) => {
          await sql.query(INSERT_TRACE, [traceId, document], 'save-trace');
          return true;
        };
        return { traceId, texts: blobs, change };
      }
      const withTrace = trialWithTrace(trial, traceId);
      const { columns, texts } = columnsOf(withTrace);
      return {
        traceId,
        texts: new Map([...blobs, ...texts]),
        row: unlessChanged === null ? [...columns, document] : undefined,
        async change(sql) {
          const statement =
            unlessChanged === undefined
              ? { text: UPSERT_WITH_TRACE, name: 'save-trace-and-trial' }
              : { text: UPSERT_WITH_TRACE_UNLESS_CHANGED, name: 'save-trace-and-trial-unless' };
          const values = [...columns, document, ...(unlessChanged === undefined ? [] : [costText(unlessChanged)])];
          const isWritten = await upsert(sql, statement, withTrace, values);
          if (!isWritten && !(await isScenario(sql, withTrace))) throw danglingTrial(withTrace, undefined);
          return isWritten;
        },
      };
    },
    async saveRows(sql, rows) {
      const columns = Array.from({ length: ROW_LENGTH }, (_, column) => rows.map((row) => row[column]));
      const keyOf = (key: readonly unknown[]): string => JSON.stringify(key.map(String));
      const written = await sql.query(SAVE_ROWS, columns, 'save-rows');
      const keys = new Set(
        written.map((row) => keyOf([row.run_id, row.scenario_index, row.case_index, row.trial_number])),
      );
      return rows.map((row) => keys.has(keyOf(row.slice(0, 4))));
    },
    async get(runId, { scenario, case: caseIndex, trial }) {
      const where = `WHERE run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4 AND ${IS_THERE}`;
      const [found] = await select(where, [columnText(runId), scenario, caseIndex, trial], 'get-trial');
      return found ?? null;
    },
    async ofTrace(traceId) {
      const [found] = await select(
        `JOIN (SELECT run_id, seq FROM ${SCHEMA}.runs WHERE deleted_at IS NULL) AS present USING (run_id)
         WHERE trace_id = $1 ORDER BY seq DESC, ${ORDER} LIMIT 1`,
        [columnText(traceId)],
        'trial-of-trace',
      );
      return found ?? null;
    },
    page({ runId, scenarioIndex, caseName, after, size }) {
      const { scenario_index, case_index, trial_number } = after ?? BEFORE_ALL;
      if (scenarioIndex === undefined) {
        return select(
          `WHERE run_id = $1 AND (${ORDER}) > ($2, $3, $4) AND ${IS_THERE} ORDER BY ${ORDER} LIMIT $5`,
          [columnText(runId), scenario_index, case_index, trial_number, size],
          'trial-page',
        );
      }
      return select(
        `WHERE run_id = $1 AND scenario_index = $2 AND (case_index, trial_number) > ($3, $4)
         AND ($5::text IS NULL OR "case" = $5) AND ${IS_THERE} ORDER BY case_index, trial_number LIMIT $6`,
        [columnText(runId), scenarioIndex, case_index, trial_number, nullableText(caseName ?? null), size],
        'trial-page-of-scenario',
      );
    },
    async outcomes({ runId, scenarioIndex = null, offset, limit }) {
      const { rows, decode } = await database.select(
        `SELECT outcome FROM ${TRIALS} WHERE run_id = $1 AND ($2::integer IS NULL OR scenario_index = $2) AND ${IS_THERE}
         ORDER BY ${ORDER} LIMIT $3 OFFSET $4`,
        [columnText(runId), scenarioIndex, limit, offset],
        'trial-outcomes',
      );
      const { readOutcome } = trialRows(place, decode);
      return rows.map((row) => readOutcome(runId, String(row.outcome)));
    },
    async heads({ runId, after, size }) {
      const { scenario_index, case_index, trial_number } = after ?? BEFORE_ALL;
      const { rows, decode } = await database.select(
        `SELECT ${ORDER}, "case", trace_id, status FROM ${TRIALS} WHERE run_id = $1 AND (${ORDER}) > ($2, $3, $4)
         AND ${IS_THERE} ORDER BY ${ORDER} LIMIT $5`,
        [columnText(runId), scenario_index, case_index, trial_number, size],
        'trial-heads',
      );
      const { readHead } = trialRows(place, decode);
      return rows.map((row) => readHead(withTexts(row, ['case', 'trace_id'])));
    },
    read,
  };
}

export function trialWithTrace({ result = null, ...trial }: TrialOfTrace, trace_id: string): StoredTrial {
  return { ...trial, trace_id, result: result && { ...result, trace_id } };
}

const ROW_LENGTH = 11;
const BEFORE_ALL = { scenario_index: -1, case_index: -1, trial_number: -1 };

/** The values of the statements above, from $1 to $10. */
function columnsOf(trial: StoredTrial): { columns: unknown[]; texts: Map<string, string> } {
  const result = trial.result === null ? null : encode(`Trial ${trial.trial_number}`, trial.result);
  const outcome = encode(`Trial ${trial.trial_number}`, outcomeDocument(trial));
  return {
    columns: [
      ...[columnText(trial.run_id), trial.scenario_index, trial.case_index, trial.trial_number],
      ...[nullableText(trial.case), nullableText(trial.trace_id), result?.document ?? null],
      ...[costText(trial.earlier_cost), outcome.document, trial.result?.status ?? null],
    ],
    texts: new Map([...(result?.blobs ?? []), ...outcome.blobs]),
  };
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

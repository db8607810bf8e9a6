import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { trialStatusSchema } from '../../evaluators/trial-status.ts';
import type { StoredTrial, TrialOutcome } from '../../run/run-record.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { trialResultSchema } from '../../trial/trial-result.ts';
import { trialCostSchema } from '../stored-documents.ts';
import type { Write } from './blob-table.ts';
import { conforms, type Decoder, encode } from './document-codec.ts';
import { damaged, isForeignKeyError } from './sqlite-error.ts';

export interface TrialTable {
  save(trial: StoredTrial): Write;
  get(runId: string, place: { scenario: number; case: number; trial: number }): StoredTrial | null;
  ofTrace(traceId: string): StoredTrial | null;
  /** The first trials, or the next ones after a trial, in order: one page. */
  page(query: {
    runId: string;
    scenarioIndex: number | undefined;
    /** Only of this case. */
    caseName?: string | undefined;
    after: StoredTrial | undefined;
    size: number;
  }): StoredTrial[];
  outcomes(query: { runId: string; scenarioIndex?: number | undefined; offset: number; limit: number }): TrialOutcome[];
}

/** A row as SQLite returns it; the result in it is still text. */
const trialRowSchema = z.object({
  run_id: z.string(),
  scenario_index: z.int(),
  case_index: z.int(),
  case: z.string().nullable(),
  trial_number: z.int(),
  trace_id: z.string().nullable(),
  result: z.string().nullable(),
  earlier_cost: z.string().nullable(),
});

const outcomeSchema = z.object({
  scenario_index: z.int(),
  case_index: z.int(),
  case: z.string().nullable(),
  trial_number: z.int(),
  trace_id: z.string().nullable(),
  status: trialStatusSchema.nullable(),
  score: z.number().nullable(),
  latency_seconds: z.number().nullable(),
  cost_usd: z.number().nullable(),
  judge_cost_usd: z.number().nullable(),
  retries: z.int().nullable(),
  assertions: z.array(z.object({ id: z.string(), score: z.number(), passed: z.boolean(), status: z.string() })),
});
/** Made by the database, so that the long texts of a result are not read. */
const OUTCOME = `json_object(
  'scenario_index', scenario_index, 'case_index', case_index, 'case', "case", 'trial_number', trial_number,
  'trace_id', trace_id, 'status', result ->> 'status', 'score', result ->> 'score',
  'latency_seconds', result ->> 'latency_seconds', 'cost_usd', result ->> 'cost_usd',
  'judge_cost_usd', result ->> 'judge_cost_usd', 'retries', result ->> 'retries',
  'assertions', (
    SELECT json_group_array(json_object(
      'id', value ->> 'assertion_id', 'score', value ->> 'score', 'status', value ->> 'status',
      'passed', json(value -> 'passed')
    )) FROM json_each(result, '$.eval_results')
  )
) AS outcome`;

/** Not of a run that was deleted. */
const IS_THERE = 'EXISTS (SELECT 1 FROM runs WHERE runs.run_id = trials.run_id AND deleted_at IS NULL)';
const KEY = 'run_id, scenario_index, case_index, trial_number';
const COLUMNS = `${KEY}, "case", trace_id, result, earlier_cost`;

export function trialTable(parts: { database: DatabaseSync; file: string; decode: Decoder }): TrialTable {
  const { database, file, decode } = parts;
  const upsert = database.prepare(
    `INSERT INTO trials (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (${KEY})
     DO UPDATE SET trace_id = excluded.trace_id, result = excluded.result, earlier_cost = excluded.earlier_cost`,
  );
  const selectOne = database.prepare(
    `SELECT ${COLUMNS} FROM trials WHERE run_id = ? AND scenario_index = ? AND case_index = ? AND trial_number = ?
     AND ${IS_THERE}`,
  );
  const selectOfTrace = database.prepare(
    `SELECT ${COLUMNS} FROM trials JOIN (SELECT run_id, seq FROM runs WHERE deleted_at IS NULL) USING (run_id) WHERE trace_id = ?
     ORDER BY seq DESC, scenario_index, case_index, trial_number LIMIT 1`,
  );
  const selectPage = database.prepare(
    `SELECT ${COLUMNS} FROM trials WHERE run_id = ? AND (scenario_index, case_index, trial_number) > (?, ?, ?)
     AND ${IS_THERE} ORDER BY scenario_index, case_index, trial_number LIMIT ?`,
  );
  const selectPageOfScenario = database.prepare(
    `SELECT ${COLUMNS} FROM trials WHERE run_id = ? AND scenario_index = ?
     AND (case_index, trial_number) > (?, ?) AND (? IS NULL OR "case" = ?) AND ${IS_THERE}
     ORDER BY case_index, trial_number LIMIT ?`,
  );

  const selectOutcomes = database.prepare(
    `SELECT ${OUTCOME} FROM trials WHERE run_id = ? AND (? IS NULL OR scenario_index = ?) AND ${IS_THERE}
     ORDER BY scenario_index, case_index, trial_number LIMIT ? OFFSET ?`,
  );

  function decodeTrial(row: unknown): StoredTrial {
    if (!conforms(trialRowSchema, row)) throw damaged(file, 'A trial');
    const what = `Trial ${row.trial_number} of run ${row.run_id}`;
    return {
      ...row,
      result: row.result === null ? null : decode(what, trialResultSchema, row.result),
      earlier_cost: row.earlier_cost === null ? null : decode(what, trialCostSchema, row.earlier_cost),
    };
  }

  return {
    save({ run_id, scenario_index, case_index, case: caseName, trial_number, trace_id, result, earlier_cost }) {
      const encoded = result === null ? null : encode(`Trial ${trial_number}`, result);
      const cost = earlier_cost === null ? null : JSON.stringify(earlier_cost);
      return {
        blobs: encoded?.blobs ?? new Map(),
        change() {
          try {
            const key = [run_id, scenario_index, case_index, trial_number];
            upsert.run(...key, caseName, trace_id, encoded?.document ?? null, cost);
          } catch (cause) {
            throw isForeignKeyError(cause) ? danglingTrial({ run_id, scenario_index, trace_id }, cause) : cause;
          }
        },
      };
    },
    get(runId, place) {
      const row = selectOne.get(runId, place.scenario, place.case, place.trial);
      return row === undefined ? null : decodeTrial(row);
    },
    ofTrace(traceId) {
      const row = selectOfTrace.get(traceId);
      return row === undefined ? null : decodeTrial(row);
    },
    page({ runId, scenarioIndex, caseName = null, after, size }) {
      const { scenario_index, case_index, trial_number } = after ?? BEFORE_ALL;
      const rows =
        scenarioIndex === undefined
          ? selectPage.all(runId, scenario_index, case_index, trial_number, size)
          : selectPageOfScenario.all(runId, scenarioIndex, case_index, trial_number, caseName, caseName, size);
      return rows.map(decodeTrial);
    },
    outcomes({ runId, scenarioIndex = null, offset, limit }) {
      return selectOutcomes.all(runId, scenarioIndex, scenarioIndex, limit, offset).map((row) => {
        const { assertions, retries, ...rest } = decode(`A trial of run ${runId}`, outcomeSchema, String(row.outcome));
        return {
          ...rest,
          retries: retries ?? 0,
          assertions: assertions.map(({ id, score, passed, status }) => ({
            id,
            score: status === 'scored' ? score : null,
            passed,
          })),
        };
      });
    },
  };
}

const BEFORE_ALL = { scenario_index: -1, case_index: -1, trial_number: -1 };

function danglingTrial(at: Pick<StoredTrial, 'run_id' | 'scenario_index' | 'trace_id'>, cause: unknown): SalvoError {
  return new SalvoError(
    'STORE_UNKNOWN_RUN',
    `A trial can't be stored: run ${at.run_id} has no scenario ${at.scenario_index}, or there is no trace ${at.trace_id}.`,
    { cause },
  );
}

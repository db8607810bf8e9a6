import type { DatabaseSync } from 'node:sqlite';
import type { StoredTrial, TrialHead, TrialOutcome } from '../../run/record/run-record.ts';
import { type Decoder, encode } from '../documents/document-codec.ts';
import { danglingTrial, trialRows } from '../documents/trial-rows.ts';
import type { Write } from './blob-table.ts';
import { isForeignKeyError } from './sqlite-error.ts';

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
  /** As `page`, without reading a result. */
  heads(query: { runId: string; after: TrialHead | undefined; size: number }): TrialHead[];
}

/** Made by the database, so that the long texts of a result are not read. */
const OUTCOME = `json_object(
  'scenario_index', scenario_index, 'case_index', case_index, 'case', "case", 'trial_number', trial_number,
  'trace_id', trace_id, 'status', result ->> 'status', 'score', result ->> 'score',
  'latency_seconds', result ->> 'latency_seconds', 'cost_usd', result ->> 'cost_usd',
  'cost_at_least', json(result -> 'cost_at_least'), 'judge_cost_usd', result ->> 'judge_cost_usd',
  'judge_cost_at_least', json(result -> 'judge_cost_at_least'), 'retries', result ->> 'retries',
  'assertions', (
    SELECT json_group_array(json_object(
      'id', value ->> 'assertion_id', 'score', value ->> 'score', 'status', value ->> 'status',
      'passed', json(value -> 'passed')
    )) FROM json_each(result, '$.eval_results')
  )
) AS outcome`;

/** Not of a run that was deleted. The run is a named parameter, so this is looked up once. Node 22 cannot bind `?1`. */
const IS_THERE = 'EXISTS (SELECT 1 FROM runs WHERE run_id = :run AND deleted_at IS NULL)';
const AFTER = '(scenario_index, case_index, trial_number) > (:scenario, :case, :trial)';
const KEY = 'run_id, scenario_index, case_index, trial_number';
const ORDER = 'ORDER BY scenario_index, case_index, trial_number';
const COLUMNS = `${KEY}, "case", trace_id, result, earlier_cost`;
const WITH_RESULTS = 'trials LEFT JOIN results USING (result_id)';

export function trialTable(parts: { database: DatabaseSync; file: string; decode: Decoder }): TrialTable {
  const { database, file, decode } = parts;
  const insert = database.prepare(
    `INSERT INTO trials (${KEY}, "case", trace_id, result_id, status, earlier_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (${KEY}) DO NOTHING`,
  );
  const BY_KEY = 'WHERE run_id = ? AND scenario_index = ? AND case_index = ? AND trial_number = ?';
  const selectStored = database.prepare(`SELECT trace_id, result_id FROM trials ${BY_KEY}`);
  // The trace is indexed and has a foreign key: to leave it alone saves most of what an update costs.
  const update = database.prepare(`UPDATE trials SET result_id = ?, status = ?, earlier_cost = ? ${BY_KEY}`);
  const updateTrace = database.prepare(`UPDATE trials SET trace_id = ? ${BY_KEY}`);
  const insertResult = database.prepare('INSERT INTO results (result) VALUES (?)');
  const deleteResult = database.prepare('DELETE FROM results WHERE result_id = ?');
  const selectOne = database.prepare(
    `SELECT ${COLUMNS} FROM ${WITH_RESULTS} WHERE run_id = :run AND scenario_index = :scenario
     AND case_index = :case AND trial_number = :trial AND ${IS_THERE}`,
  );
  const selectOfTrace = database.prepare(
    `SELECT ${COLUMNS} FROM ${WITH_RESULTS} JOIN (SELECT run_id, seq FROM runs WHERE deleted_at IS NULL) USING (run_id)
     WHERE trace_id = ? ORDER BY seq DESC, scenario_index, case_index, trial_number LIMIT 1`,
  );
  const selectPage = database.prepare(
    `SELECT ${COLUMNS} FROM ${WITH_RESULTS} WHERE run_id = :run
     AND ${AFTER} AND ${IS_THERE} ${ORDER} LIMIT :size`,
  );
  const selectPageOfScenario = database.prepare(
    `SELECT ${COLUMNS} FROM ${WITH_RESULTS} WHERE run_id = :run AND scenario_index = :scenario
     AND (case_index, trial_number) > (:case, :trial) AND (:name IS NULL OR "case" = :name) AND ${IS_THERE}
     ${ORDER} LIMIT :size`,
  );
  const selectHeads = database.prepare(
    `SELECT scenario_index, case_index, "case", trial_number, trace_id, status FROM trials WHERE run_id = :run
     AND ${AFTER} AND ${IS_THERE} ${ORDER} LIMIT :size`,
  );
  // The page is taken first: of the trials before it, no result is read.
  const selectOutcomes = database.prepare(
    `SELECT ${OUTCOME} FROM (
       SELECT * FROM trials WHERE run_id = :run AND (:scenario IS NULL OR scenario_index = :scenario) AND ${IS_THERE}
       ${ORDER} LIMIT :limit OFFSET :offset
     ) LEFT JOIN results USING (result_id) ${ORDER}`,
  );

  const { readTrial, readOutcome, readHead } = trialRows(file, decode);

  return {
    save({ run_id, scenario_index, case_index, case: caseName, trial_number, trace_id, result, earlier_cost }) {
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
    },
    get(runId, place) {
      const row = selectOne.get({ run: runId, ...place });
      return row === undefined ? null : readTrial(row);
    },
    ofTrace(traceId) {
      const row = selectOfTrace.get(traceId);
      return row === undefined ? null : readTrial(row);
    },
    page({ runId, scenarioIndex, caseName = null, after, size }) {
      const from = { run: runId, ...placeAfter(after), size };
      const rows =
        scenarioIndex === undefined
          ? selectPage.all(from)
          : selectPageOfScenario.all({ ...from, scenario: scenarioIndex, name: caseName });
      return rows.map(readTrial);
    },
    outcomes({ runId, scenarioIndex = null, offset, limit }) {
      return selectOutcomes
        .all({ run: runId, scenario: scenarioIndex, limit, offset })
        .map((row) => readOutcome(runId, String(row.outcome)));
    },
    heads({ runId, after, size }) {
      return selectHeads.all({ run: runId, ...placeAfter(after), size }).map(readHead);
    },
  };
}

/** Where a page begins: after this trial, or before all of them. */
function placeAfter(after: Pick<TrialHead, 'scenario_index' | 'case_index' | 'trial_number'> | undefined) {
  return {
    scenario: after?.scenario_index ?? -1,
    case: after?.case_index ?? -1,
    trial: after?.trial_number ?? -1,
  };
}

import type { ChangedResults } from '../queue/coordinate.ts';
import type { StoredTrial, TrialHead } from '../run/record/run-record.ts';
import { remembered } from '../text/memo.ts';
import { traceSchema } from '../trace/trace.ts';
import type { Decoder } from './documents/document-codec.ts';
import { trialRows } from './documents/trial-rows.ts';
import { IS_THERE as IS_SHOWN } from './run-writes.ts';
import type { Store } from './store.ts';
import { type ColumnValue, type Dialect, readPages, type TableEngine, type TableRow } from './table-module.ts';

/** How trials and their traces are read. Each store writes them itself, in the way that takes the least time there. */
export type TrialTables = Pick<
  Store,
  'getTrace' | 'findTraceIds' | 'getTrial' | 'findTrialOfTrace' | 'trials' | 'trialOutcomes' | 'trialHeads'
>;

/** SQLite has results in a table of their own, and makes outcomes of them, so that their long texts are not read. */
const DIALECTS: Record<Dialect, { results: string; outcome: string; age: string }> = {
  sqlite: {
    results: 'LEFT JOIN @results USING (result_id)',
    outcome: `json_object(
      'scenario_index', scenario_index, 'case_index', case_index, 'case', "case", 'trial_number', trial_number,
      'trace_id', trace_id, 'status', result ->> 'status', 'score', result ->> 'score',
      'latency_seconds', result ->> 'latency_seconds', 'cost_usd', result ->> 'cost_usd',
      'cost_at_least', json(result -> 'cost_at_least'), 'judge_cost_usd', result ->> 'judge_cost_usd',
      'judge_cost_at_least', json(result -> 'judge_cost_at_least'), 'user_cost_usd', result ->> 'user_cost_usd',
      'user_cost_at_least', json(result -> 'user_cost_at_least'), 'retries', result ->> 'retries',
      'assertions', (
        SELECT json_group_array(json_object(
          'id', value ->> 'assertion_id', 'score', value ->> 'score', 'status', value ->> 'status',
          'passed', json(value -> 'passed')
        )) FROM json_each(result, '$.eval_results')
      )
    ) AS outcome`,
    age: 'rowid',
  },
  postgres: { results: '', outcome: 'outcome', age: 'seq' },
};

const PAGE_SIZE = 100;
const HEADS_PER_PAGE = 2000;
const BEFORE_ALL = { scenario_index: -1, case_index: -1, trial_number: -1 };
const TEXTS = ['run_id', 'case', 'trace_id'];
const ORDER = 'scenario_index, case_index, trial_number';
const COLUMNS = '"case", trace_id, result, earlier_cost';
/** Not of a run that was deleted. It names the run by its value, so that this is looked up once for all trials. */
const IS_THERE = `EXISTS (SELECT 1 FROM @runs WHERE run_id = $1 AND ${IS_SHOWN})`;

export function trialTables(engine: TableEngine): TrialTables {
  const { results, outcome, age } = DIALECTS[engine.dialect];
  const rowsOf = rowReader(engine);
  const readTrial = (row: TableRow): StoredTrial => rowsOf(row).readTrial(row.columns(TEXTS));
  const select = (rest: string, values: readonly ColumnValue[]): Promise<StoredTrial[]> =>
    engine.select(`SELECT run_id, ${ORDER}, ${COLUMNS} FROM @trials ${results} ${rest}`, values, readTrial);

  return {
    async getTrace(traceId) {
      const [trace] = await engine.select('SELECT document FROM @traces WHERE trace_id = $1', [traceId], (row) =>
        row.document('document', `The trace ${traceId}`, traceSchema),
      );
      return trace ?? null;
    },
    findTraceIds: (prefix, limit) =>
      engine.select(
        `SELECT trace_id FROM @traces WHERE trace_id >= $1 AND trace_id < $2 ORDER BY ${age} DESC LIMIT $3`,
        [prefix, `${prefix}\u{10ffff}`, limit],
        (row) => row.text('trace_id'),
      ),
    async getTrial(runId, place) {
      const [trial] = await select(
        `WHERE run_id = $1 AND scenario_index = $2 AND case_index = $3 AND trial_number = $4 AND ${IS_THERE}`,
        [runId, place.scenario, place.case, place.trial],
      );
      return trial ?? null;
    },
    async findTrialOfTrace(traceId) {
      const [trial] = await select(
        `JOIN (SELECT run_id, seq FROM @runs WHERE ${IS_SHOWN}) AS present USING (run_id)
         WHERE trace_id = $1 ORDER BY seq DESC, ${ORDER} LIMIT 1`,
        [traceId],
      );
      return trial ?? null;
    },
    trials(runId, { scenarioIndex, caseName } = {}) {
      const isLater =
        scenarioIndex === undefined
          ? `(${ORDER}) > ($2, $3, $4)`
          : 'scenario_index = $2 AND (case_index, trial_number) > ($3, $4)';
      const [ofCase, names] = caseName === undefined ? ['', []] : ['AND "case" = $6', [caseName]];
      const pageAfter = ({ scenario_index, case_index, trial_number }: TrialPlace = BEFORE_ALL) =>
        select(`WHERE run_id = $1 AND ${isLater} ${ofCase} AND ${IS_THERE} ORDER BY ${ORDER} LIMIT $5`, [
          ...[runId, scenarioIndex ?? scenario_index, case_index, trial_number, PAGE_SIZE, ...names],
        ]);
      return readPages(pageAfter, PAGE_SIZE);
    },
    trialOutcomes(runId, { scenarioIndex, offset, limit }) {
      const ofScenario = scenarioIndex === undefined ? '' : 'AND scenario_index = $4';
      // The page is taken first: of the trials before it, no result is read.
      return engine.select(
        `SELECT ${outcome} FROM (
           SELECT * FROM @trials WHERE run_id = $1 ${ofScenario} AND ${IS_THERE} ORDER BY ${ORDER} LIMIT $2 OFFSET $3
         ) AS page ${results} ORDER BY ${ORDER}`,
        [runId, limit, offset, ...(scenarioIndex === undefined ? [] : [scenarioIndex])],
        (row) => rowsOf(row).readOutcome(runId, String(row.columns([]).outcome)),
      );
    },
    trialHeads(runId) {
      const pageAfter = ({ scenario_index, case_index, trial_number }: TrialPlace = BEFORE_ALL) =>
        engine.select(
          `SELECT ${ORDER}, "case", trace_id, status FROM @trials WHERE run_id = $1 AND (${ORDER}) > ($2, $3, $4)
           AND ${IS_THERE} ORDER BY ${ORDER} LIMIT $5`,
          [runId, scenario_index, case_index, trial_number, HEADS_PER_PAGE],
          (row) => rowsOf(row).readHead(row.columns(['case', 'trace_id'])),
        );
      return readPages<TrialHead>(pageAfter, HEADS_PER_PAGE);
    },
  };
}

/** A page of what workers have stored since a cursor. Throws if no other process can write to this store. */
export async function changedTrials(
  engine: TableEngine,
  runId: string,
  since: string,
): Promise<ChangedResults<StoredTrial>> {
  const rowsOf = rowReader(engine);
  const { rows, cursor } = await engine.changes(
    { table: 'trials', id: runId, columns: `run_id, ${COLUMNS}`, cursor: since },
    (row) => rowsOf(row).readTrial(row.columns(TEXTS)),
  );
  return { results: rows, cursor };
}

/** What reads rows with a decoder is made once for all of them. */
function rowReader({ place }: TableEngine) {
  const readers = new WeakMap<Decoder, ReturnType<typeof trialRows>>();
  return ({ decode }: TableRow) => remembered(readers, decode, () => trialRows(place, decode));
}

type TrialPlace = Pick<TrialHead, 'scenario_index' | 'case_index' | 'trial_number'>;

import type { ScenarioSummary } from '../run/record/run-document.ts';
import type { RunChange, RunRecord, RunScenario } from '../run/record/run-record.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { DOCUMENT_VERSION, encode } from './documents/document-codec.ts';
import { scenarioFigures } from './documents/run-rows.ts';
import {
  type Change,
  type ColumnValue,
  insert,
  isDocument,
  query,
  type Row,
  type StoredDocument,
  type TableEngine,
  type TableWrite,
  upsert,
} from './table-module.ts';

type Columns = Record<string, ColumnValue>;

/** The run was not deleted. */
export const IS_THERE = 'deleted_at IS NULL';

/** Runs are redacted as a whole before this: some of their texts are in columns. */
export function runCreation(engine: TableEngine, run: RunRecord): TableWrite {
  const { run_id, created_at, finished_at, status, verdict, exit_code, salvo_version, reeval_of } = run;
  const head: Columns = {
    ...{ run_id, created_at, finished_at, status, verdict, exit_code, salvo_version, reeval_of },
    ...{ ...optionColumns(engine, run), ...gitColumns(run), document_version: DOCUMENT_VERSION },
  };
  const scenarios = run.scenarios.map((entry): ScenarioColumns => {
    const { name, file, adapter, model, scenario_hash } = entry;
    const scenario = stored(`The scenario ${name}`, entry.scenario);
    const { columns, figures } = summaryColumns(engine, entry, entry.summary);
    return { figures, columns: { name, file, adapter, model, scenario_hash, scenario, ...columns } };
  });
  function* change(isRepeated: boolean): Change {
    if (!(yield* insert('runs', head))) {
      if (isRepeated) return;
      throw new SalvoError('RUN_EXISTS', `There is a run ${run_id} in ${engine.place} already.`);
    }
    for (const [scenario_index, { columns }] of scenarios.entries()) {
      yield* upsert('run_scenarios', { run_id, scenario_index }, columns);
    }
    yield* saveFigures(run_id, scenarios);
  }
  return { to: run_id, documents: documentsIn(head, scenarios), change };
}

export function runUpdate(engine: TableEngine, run_id: string, { summaries = [], ...given }: RunChange): TableWrite {
  const { finished_at, status, verdict, exit_code, options, git } = given;
  const columns: Record<string, ColumnValue | undefined> = {
    ...{ finished_at, status, verdict, exit_code },
    ...(options && optionColumns(engine, { run_id, options })),
    ...(git !== undefined && gitColumns({ git })),
  };
  const head: Columns = Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const scenarios = summaries.map((summary) => summaryColumns(engine, summary, summary));
  function* change(): Change {
    const set = [...Object.keys(head).map((name, index) => `${name} = $${index + 2}`), 'revision = revision + 1'];
    const text = `UPDATE @runs SET ${set.join(', ')} WHERE run_id = $1 AND ${IS_THERE} RETURNING 1`;
    const updated = yield* query(text, [run_id, ...Object.values(head)]);
    if (updated.length === 0) throw unknownRun(engine, run_id);
    const there = new Set(yield* updateScenarios(engine, run_id, scenarios));
    const missing = scenarios.findIndex((_, index) => !there.has(index));
    if (missing !== -1) throw new SalvoError('SCENARIO_UNKNOWN', `Run ${run_id} has no scenario ${missing}.`);
    yield* saveFigures(run_id, scenarios);
  }
  return { to: run_id, documents: documentsIn(head, scenarios), change };
}

/** Returns the positions of those that are there. */
function* updateScenarios(
  { dialect }: TableEngine,
  runId: string,
  scenarios: readonly ScenarioColumns[],
): Change<unknown[]> {
  const names = Object.keys(scenarios[0]?.columns ?? {});
  if (names.length === 0) return [];
  const change = dialect === 'sqlite' ? updateOneByOne : updateTogether;
  const changed = yield* change(runId, names, scenarios);
  return changed.map(({ scenario_index }) => scenario_index);
}

/** A list of values would be a temporary table of SQLite: it takes seven times the length of a summary in memory. */
function* updateOneByOne(
  runId: string,
  names: readonly string[],
  scenarios: readonly ScenarioColumns[],
): Change<Row[]> {
  const set = names.map((name, index) => `${name} = $${index + 3}`);
  const text = `UPDATE @run_scenarios SET ${set.join(', ')} WHERE run_id = $1 AND scenario_index = $2 RETURNING scenario_index`;
  const changed: Row[] = [];
  for (const [index, { columns }] of scenarios.entries()) {
    changed.push(...(yield* query(text, [runId, index, ...Object.values(columns)])));
  }
  return changed;
}

/** One statement, because each is a message to a server. */
function* updateTogether(
  runId: string,
  names: readonly string[],
  scenarios: readonly ScenarioColumns[],
): Change<Row[]> {
  const set = names.map((name, index) => `${name} = given.column${index + 2}`);
  const rows = scenarios.map(
    (_, at) => `(${[at, ...names.map((_, i) => `$${2 + at * names.length + i}`)].join(', ')})`,
  );
  return yield* query(
    `UPDATE @run_scenarios SET ${set.join(', ')} FROM (VALUES ${rows.join(', ')}) AS given
     WHERE run_id = $1 AND scenario_index = given.column1 RETURNING scenario_index`,
    [runId, ...scenarios.flatMap(({ columns }) => Object.values(columns))],
  );
}

function* saveFigures(run_id: string, scenarios: readonly ScenarioColumns[]): Change {
  for (const [scenario_index, { figures }] of scenarios.entries()) {
    if (figures) yield* upsert('scenario_figures', { run_id, scenario_index }, { figures });
  }
}

/** What is written of a scenario. `figures` is null where they are among the columns. */
interface ScenarioColumns {
  columns: Columns;
  figures: StoredDocument | null;
}

function summaryColumns(
  { dialect }: TableEngine,
  scenario: Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>,
  summary: ScenarioSummary | null,
): ScenarioColumns {
  const what = `The summary of ${scenario.name}`;
  const whole = summary && stored(what, summary);
  const figures = stored(`The figures of ${scenario.name}`, scenarioFigures(scenario, summary));
  if (dialect === 'sqlite') return { columns: { summary: whole }, figures };
  const brief_summary = summary && stored(what, { ...summary, cases: [] });
  return { columns: { summary: whole, brief_summary, figures }, figures: null };
}

function optionColumns({ dialect }: TableEngine, { run_id, options }: Pick<RunRecord, 'run_id' | 'options'>): Columns {
  const isShard = dialect === 'postgres' && { is_shard: options.shard ? 1 : 0 };
  return { options: stored(`The run ${run_id}`, options), ...isShard };
}

function gitColumns({ git }: Pick<RunRecord, 'git'>): Columns {
  return { git_commit: git?.commit ?? null, git_dirty: git && Number(git.dirty) };
}

/** The version of the document is in the row of the run. */
function stored(what: string, value: unknown): StoredDocument {
  return { value, ...encode(what, value) };
}

function documentsIn(head: Columns, scenarios: readonly ScenarioColumns[]): StoredDocument[] {
  const rows = [head, ...scenarios.flatMap(({ columns, figures }) => [columns, { figures }])];
  return rows.flatMap((row) => Object.values(row).filter(isDocument));
}

export function unknownRun({ place }: TableEngine, runId: string): SalvoError {
  return new SalvoError('RUN_UNKNOWN', `There is no run ${runId} in ${place}.`);
}

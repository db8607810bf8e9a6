import type { RunRecord } from '../run/record/run-record.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { remembered } from '../text/memo.ts';
import { type Decoder, readEach } from './documents/document-codec.ts';
import { RUN_COLUMNS, type RunRows, runRows, SCENARIO_COLUMNS } from './documents/run-rows.ts';
import { IS_THERE, runCreation, runUpdate, unknownRun } from './run-writes.ts';
import type { OnUnreadable, RunTables } from './store.ts';
import {
  type Change,
  type ColumnValue,
  type Dialect,
  query,
  type Row,
  type TableEngine,
  type TableModule,
  type TableRow,
} from './table-module.ts';

/** Runs with their scenarios. Every store makes the tables itself, and removes runs together with their trials. */
export const runModule: TableModule<RunTables> = {
  name: 'runs',
  work: {
    ...{ kind: 'run', column: 'run_id', tables: ['runs'] },
    followed: { trials: ['scenario_index', 'case_index', 'trial_number'] },
  },
  open: runTables,
};

type RunHead = Omit<RunRecord, 'scenarios'>;

/** Which rows of scenarios are read with their runs, and what is made of a run. */
interface RunQuery<T> {
  table?: string;
  columns: string;
  read: (rows: RunRows, head: RunHead, scenarios: Row[]) => T;
}

interface FoundRun<T> {
  columns: Row;
  read: () => T;
}

const RUN_TEXTS = ['run_id', 'created_at', 'finished_at', 'salvo_version', 'reeval_of', 'git_commit'];
const SCENARIO_TEXTS = ['name', 'file', 'adapter', 'model', 'scenario_hash'];
const OWNED_TEXTS = ['run_id', ...SCENARIO_TEXTS];
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What lists show is kept apart from long documents: SQLite has a table for figures, PostgreSQL has columns for all. */
const LISTED: Record<Dialect, { isWhole: string; summary: string; figures: string; now: string }> = {
  sqlite: {
    // Options that are no JSON are those of a run that can't be read.
    isWhole: `(NOT json_valid(options) OR json_extract(options, '$.shard') IS NULL)`,
    summary: `CASE WHEN json_valid(summary) THEN json_set(summary, '$.cases', json('[]')) ELSE summary END AS summary`,
    figures: 'scenario_figures',
    now: `unixepoch('subsec')`,
  },
  postgres: {
    isWhole: 'NOT is_shard',
    summary: 'brief_summary AS summary',
    figures: 'run_scenarios',
    now: 'clock_timestamp()',
  },
};

const WHOLE: RunQuery<RunRecord> = {
  columns: SCENARIO_COLUMNS,
  read: (rows, head, scenarios) => ({ ...head, scenarios: rows.readScenarios(head.run_id, scenarios.map(ofScenario)) }),
};

export function runTables(engine: TableEngine): RunTables {
  const listed = LISTED[engine.dialect];
  const readers = new WeakMap<Decoder, RunRows>();
  const rowsOf = ({ decode }: TableRow): RunRows => remembered(readers, decode, () => runRows(engine.place, decode));

  /** The newest first. `read` throws if something of the run can't be read. */
  async function select<T>(
    runs: { where: readonly string[]; values: readonly ColumnValue[]; limit?: number | undefined },
    { table = 'run_scenarios', columns, read }: RunQuery<T>,
  ): Promise<FoundRun<T>[]> {
    const { values, limit = NO_LIMIT } = runs;
    const where = [...runs.where, IS_THERE].join(' AND ');
    const heads = await engine.select(
      `SELECT ${RUN_COLUMNS} FROM @runs WHERE ${where} ORDER BY seq DESC LIMIT $${values.length + 1}`,
      [...values, limit],
      (row) => ({ rows: rowsOf(row), columns: row.columns(RUN_TEXTS) }),
    );
    const scenarios = await engine.select(
      `SELECT run_id, ${columns} FROM @${table} WHERE run_id = ANY ($1) ORDER BY run_id, scenario_index`,
      [heads.map((head) => String(head.columns.run_id))],
      (row) => ({ rows: rowsOf(row), columns: row.columns(OWNED_TEXTS) }),
    );
    const byRun = Map.groupBy(scenarios, (each) => each.columns.run_id);
    return heads.map(({ rows, columns: head }) => ({
      columns: head,
      read() {
        const own = byRun.get(head.run_id) ?? [];
        return read(
          own[0]?.rows ?? rows,
          rows.readHead(head),
          own.map((each) => each.columns),
        );
      },
    }));
  }

  /** Hides a run, or shows it again. */
  const marking = (runId: string, isHidden: boolean) => ({
    documents: [],
    *change(isRepeated: boolean): Change {
      const set = isHidden ? `${listed.now} WHERE ${IS_THERE}` : 'NULL WHERE deleted_at IS NOT NULL';
      const changed = yield* query(`UPDATE @runs SET deleted_at = ${set} AND run_id = $1 RETURNING 1`, [runId]);
      if (changed.length > 0 || isRepeated) return;
      const restoring = `Run ${runId} cannot be restored: it is no deleted run of ${engine.place}.`;
      throw isHidden ? unknownRun(engine, runId) : new SalvoError('RUN_UNKNOWN', restoring);
    },
  });

  return {
    createRun: async (run) => engine.write(runCreation(engine, run)),
    updateRun: async (runId, change) => engine.write(runUpdate(engine, runId, change)),
    async getRun(runId) {
      const [found] = await select({ where: ['run_id = $1'], values: [runId] }, WHOLE);
      return found?.read() ?? null;
    },
    async listRuns({ limit, complete, whole, cases, commit, runIds, onUnreadable } = {}) {
      const where = [
        ...(commit === undefined ? [] : ['git_commit = $1', 'git_dirty = 0']),
        ...(complete || commit !== undefined ? [`status = 'finished'`] : []),
        ...(whole || commit !== undefined ? [listed.isWhole] : []),
      ];
      const found = await select(
        runIds ? chosen(runIds) : { where, values: commit === undefined ? [] : [commit], limit },
        {
          columns: `${SCENARIO_TEXTS.join(', ')}, '' AS scenario, ${cases ? 'summary' : listed.summary}`,
          read: (rows, head, own) => ({ ...head, scenarios: rows.readListed(head.run_id, own.map(ofScenario)) }),
        },
      );
      return readable(found, onUnreadable);
    },
    async runFigures(runIds, onUnreadable) {
      const found = await select(chosen(runIds), {
        table: listed.figures,
        columns: 'figures',
        read: (rows, head, own) =>
          rows.readFigures(
            head,
            own.map(({ figures }) => String(figures)),
          ),
      });
      return readable(found, onUnreadable);
    },
    runRevisions: () =>
      engine.select(
        `SELECT run_id, CAST(revision AS integer) AS revision, status FROM @runs WHERE ${IS_THERE} ORDER BY seq DESC`,
        [],
        (row) => rowsOf(row).readRevision(row.columns(['run_id'])),
      ),
    findRunIds: (prefix, limit) =>
      engine.select(
        `SELECT run_id FROM @runs WHERE run_id >= $1 AND run_id < $2 AND ${IS_THERE} ORDER BY seq DESC LIMIT $3`,
        [prefix, `${prefix}\u{10ffff}`, limit],
        (row) => row.text('run_id'),
      ),
    deleteRun: (runId) => engine.write({ to: runId, whenIdle: true, ...marking(runId, true) }),
    restoreRun: (runId) => engine.write({ to: null, ...marking(runId, false) }),
  };
}

/** What is known of runs without their documents is passed on for those that can't be read. */
function readable<T>(found: readonly FoundRun<T>[], onUnreadable: OnUnreadable = () => {}): T[] {
  const tell = ({ columns }: FoundRun<T>, { why }: { why: string }): void =>
    onUnreadable({
      run_id: String(columns.run_id),
      created_at: String(columns.created_at),
      finished_at: typeof columns.finished_at === 'string' ? columns.finished_at : null,
      status: String(columns.status),
      salvo_version: String(columns.salvo_version),
      why,
    });
  return readEach(found, ({ read }) => read(), tell);
}

/** Without the id of its run, which a stored scenario does not have. */
function ofScenario({ name, file, adapter, model, scenario_hash, scenario, summary }: Row): Row {
  return { name, file, adapter, model, scenario_hash, scenario, summary };
}

function chosen(runIds: readonly string[]) {
  return { where: ['run_id = ANY ($1)'], values: [runIds] };
}

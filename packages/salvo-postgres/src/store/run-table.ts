import type { RunChange, RunRecord } from 'salvo/kit/run';
import {
  DOCUMENT_VERSION,
  encode,
  type OnUnreadable,
  RUN_COLUMNS,
  type RunFigures,
  type RunListing,
  type RunRevision,
  readableRuns,
  runRows,
  type Store,
  scenarioFigures,
} from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import { columnText, nullableText, textInColumn, withTexts } from './column-text.ts';
import type { Selected, StoreDatabase, Write } from './store-database.ts';

/** Runs with their scenarios. */
export interface RunTable {
  create(run: RunRecord): Write;
  update(runId: string, change: RunChange): Write;
  get(runId: string): Promise<RunRecord | null>;
  list(query: NonNullable<Parameters<Store['listRuns']>[0]>): Promise<RunListing[]>;
  findIds(prefix: string, limit: number): Promise<string[]>;
  revisions(): Promise<RunRevision[]>;
  figures(runIds: readonly string[], onUnreadable?: OnUnreadable): Promise<RunFigures[]>;
}

const RUNS = `${SCHEMA}.runs`;
const SCENARIOS = `${SCHEMA}.run_scenarios`;
const IS_THERE = 'deleted_at IS NULL';
const RUN_TEXTS = ['run_id', 'created_at', 'finished_at', 'salvo_version', 'reeval_of', 'git_commit'];
const SCENARIO_TEXTS = ['name', 'file', 'adapter', 'model', 'scenario_hash'];

export function runTable(database: StoreDatabase): RunTable {
  const { place, postgres } = database;

  function readHead({ decode }: Pick<Selected, 'decode'>, row: Record<string, unknown>) {
    return runRows(place, decode).readHead(withTexts(row, RUN_TEXTS));
  }

  async function scenarioRows(runIds: readonly string[], columns: string): Promise<Selected> {
    const selected = await database.select(
      `SELECT run_id, ${SCENARIO_TEXTS.join(', ')}, ${columns} FROM ${SCENARIOS} WHERE run_id = ANY ($1)
       ORDER BY run_id, scenario_index`,
      [runIds.map(columnText)],
    );
    return { ...selected, rows: selected.rows.map((row) => withTexts(row, ['run_id', ...SCENARIO_TEXTS])) };
  }

  return {
    create(run) {
      const texts = new Map<string, string>();
      const take = (what: string, value: unknown) => {
        const { document, blobs } = encode(what, value);
        for (const [reference, text] of blobs) texts.set(reference, text);
        return document;
      };
      const takeSummary = (what: string, summary: RunRecord['scenarios'][number]['summary']) =>
        summary === null ? [null, null] : [take(what, summary), take(what, { ...summary, cases: [] })];
      const head = [
        ...[columnText(run.run_id), columnText(run.created_at), nullableText(run.finished_at), run.status],
        ...[run.verdict, run.exit_code, columnText(run.salvo_version), nullableText(run.reeval_of)],
        ...[take(`The run ${run.run_id}`, run.options), ...gitColumns(run), DOCUMENT_VERSION, isShard(run)],
      ];
      const rows = run.scenarios.map((entry, index) => {
        const { name, file, adapter, model, scenario_hash, scenario, summary } = entry;
        return [
          ...[columnText(run.run_id), index],
          ...[name, file, adapter, model, scenario_hash].map(columnText),
          ...[take(`The scenario ${name}`, scenario), ...takeSummary(`The summary of ${name}`, summary)],
          take(`The figures of ${name}`, scenarioFigures(entry, summary)),
        ];
      });
      return {
        texts,
        async change(sql) {
          const inserted = await sql.query(
            `INSERT INTO ${RUNS} (${RUN_COLUMNS}, is_shard) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT (run_id) DO NOTHING RETURNING seq`,
            head,
          );
          if (inserted.length === 0) {
            if (sql.isRepeated) return;
            throw new SalvoError('RUN_EXISTS', `There is a run ${run.run_id} in ${place} already.`);
          }
          for (const row of rows) {
            await sql.query(
              `INSERT INTO ${SCENARIOS} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
              row,
              'insert-scenario',
            );
          }
        },
      };
    },
    update(runId, { summaries = [], ...change }) {
      const whole = summaries.map((summary) => encode(`The summary of ${summary.name}`, summary));
      const brief = summaries.map((summary) => encode(`The summary of ${summary.name}`, { ...summary, cases: [] }));
      const figures = summaries.map((summary) =>
        encode(`The figures of ${summary.name}`, scenarioFigures(summary, summary)),
      );
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      return {
        texts: new Map([...whole, ...brief, ...figures].flatMap(({ blobs }) => [...blobs])),
        async change(sql) {
          const [row] = await sql.query(
            `SELECT ${RUN_COLUMNS} FROM ${RUNS} WHERE run_id = $1 AND ${IS_THERE} FOR UPDATE`,
            [columnText(runId)],
          );
          if (row === undefined) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId} in ${place}.`);
          const head = readHead({ decode: await database.decoderFor(sql, [row]) }, row);
          const next: Omit<RunRecord, 'scenarios'> = { ...head, ...given };
          await sql.query(
            `UPDATE ${RUNS} SET finished_at = $2, status = $3, verdict = $4, exit_code = $5, options = $6,
               git_commit = $7, git_dirty = $8, is_shard = $9, revision = revision + 1 WHERE run_id = $1`,
            [
              ...[columnText(runId), nullableText(next.finished_at), next.status, next.verdict, next.exit_code],
              ...[JSON.stringify(next.options), ...gitColumns(next), isShard(next)],
            ],
          );
          const changed = await sql.query(
            `UPDATE ${SCENARIOS} SET summary = given.whole, brief_summary = given.brief, figures = given.figures
             FROM (
               SELECT * FROM unnest($2::text[], $3::text[], $4::text[])
                 WITH ORDINALITY AS u (whole, brief, figures, position)
             ) AS given
             WHERE run_id = $1 AND scenario_index = given.position - 1 RETURNING scenario_index`,
            [columnText(runId), ...[whole, brief, figures].map((list) => list.map(({ document }) => document))],
          );
          const there = new Set(changed.map(({ scenario_index }) => Number(scenario_index)));
          const missing = summaries.findIndex((_, index) => !there.has(index));
          if (missing !== -1) throw new SalvoError('SCENARIO_UNKNOWN', `Run ${runId} has no scenario ${missing}.`);
        },
      };
    },
    async get(runId) {
      const selected = await database.select(`SELECT ${RUN_COLUMNS} FROM ${RUNS} WHERE run_id = $1 AND ${IS_THERE}`, [
        columnText(runId),
      ]);
      const [row] = selected.rows;
      if (row === undefined) return null;
      const { rows, decode } = await scenarioRows([runId], 'scenario, summary');
      return {
        ...readHead(selected, row),
        scenarios: runRows(place, decode).readScenarios(runId, rows.map(ofScenario)),
      };
    },
    async list({ limit, complete = false, whole = false, cases = false, commit, runIds, onUnreadable }) {
      const [where, values]: [string, unknown[]] = runIds
        ? ['run_id = ANY ($1)', [runIds.map(columnText)]]
        : commit === undefined
          ? [`(status = 'finished' OR NOT $1::boolean) AND (NOT is_shard OR NOT $2::boolean)`, [complete, whole]]
          : [`git_commit = $1 AND git_dirty = 0 AND status = 'finished' AND NOT is_shard`, [columnText(commit)]];
      const most = limit === undefined || runIds ? '' : `LIMIT ${Math.max(0, Math.trunc(limit))}`;
      const selected = await database.select(
        `SELECT ${RUN_COLUMNS} FROM ${RUNS} WHERE ${where} AND ${IS_THERE} ORDER BY seq DESC ${most}`,
        values,
      );
      const found = selected.rows.map((row) => withTexts(row, RUN_TEXTS));
      const summary = cases ? 'summary' : 'brief_summary AS summary';
      const { rows, decode } = await scenarioRows(
        found.map(({ run_id }) => String(run_id)),
        `'' AS scenario, ${summary}`,
      );
      const byRun = Map.groupBy(rows, ({ run_id }) => String(run_id));
      const { readListed } = runRows(place, decode);
      const readRow = (row: Record<string, unknown>): RunListing => {
        const head = runRows(place, selected.decode).readHead(row);
        const own = byRun.get(head.run_id) ?? [];
        return { ...head, scenarios: readListed(head.run_id, own.map(ofScenario)) };
      };
      return readableRuns(found, readRow, onUnreadable);
    },
    async figures(runIds, onUnreadable) {
      const selected = await database.select(
        `SELECT ${RUN_COLUMNS} FROM ${RUNS} WHERE run_id = ANY ($1) AND ${IS_THERE} ORDER BY seq DESC`,
        [runIds.map(columnText)],
      );
      const { rows, decode } = await database.select(
        `SELECT run_id, figures FROM ${SCENARIOS} WHERE run_id = ANY ($1) ORDER BY run_id, scenario_index`,
        [runIds.map(columnText)],
      );
      const byRun = Map.groupBy(rows, ({ run_id }) => run_id);
      const { readFigures } = runRows(place, decode);
      const readRow = (row: Record<string, unknown>): RunFigures => {
        const own = (byRun.get(row.run_id) ?? []).map(({ figures }) => String(figures));
        return readFigures(readHead(selected, row), own);
      };
      return readableRuns(selected.rows, readRow, onUnreadable);
    },
    async revisions() {
      const { rows, decode } = await database.select(
        `SELECT run_id, revision::int, status FROM ${RUNS} WHERE ${IS_THERE} ORDER BY seq DESC`,
        [],
        'run-revisions',
      );
      const { readRevision } = runRows(place, decode);
      return rows.map((row) => readRevision(withTexts(row, ['run_id'])));
    },
    async findIds(prefix, limit) {
      const rows = await postgres.query(
        `SELECT run_id FROM ${RUNS} WHERE run_id >= $1 AND run_id < $1 || chr(1114111) AND ${IS_THERE}
         ORDER BY seq DESC LIMIT $2`,
        [columnText(prefix), limit],
      );
      return rows.map((row) => textInColumn(String(row.run_id)));
    },
  };
}

/** Without the id of its run, which a stored scenario does not have. */
function ofScenario({ run_id: _, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}

function isShard({ options }: Pick<RunRecord, 'options'>): boolean {
  return options.shard !== undefined;
}

function gitColumns({ git }: Pick<RunRecord, 'git'>): [string | null, number | null] {
  return git ? [columnText(git.commit), git.dirty ? 1 : 0] : [null, null];
}

import type { DatabaseSync } from 'node:sqlite';
import type { RunChange, RunRecord } from '../../run/record/run-record.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { type Decoder, DOCUMENT_VERSION, encode } from '../documents/document-codec.ts';
import { RUN_COLUMNS, readableRuns, runRows, SCENARIO_COLUMNS, scenarioFigures } from '../documents/run-rows.ts';
import type { OnUnreadable, RunFigures, RunListing, RunRevision, Store } from '../store.ts';
import type { Write } from './blob-table.ts';

/** Runs with their scenarios. */
export interface RunTable {
  create(run: RunRecord): Write;
  update(runId: string, change: RunChange): Write;
  get(runId: string): RunRecord | null;
  list(query: NonNullable<Parameters<Store['listRuns']>[0]>): RunListing[];
  findIds(prefix: string, limit: number): string[];
  revisions(): RunRevision[];
  figures(runIds: readonly string[], onUnreadable?: OnUnreadable): RunFigures[];
}

/** Not a shard of a run. Options that are no JSON are those of a run that can't be read. */
const IS_WHOLE = `(NOT json_valid(options) OR json_extract(options, '$.shard') IS NULL)`;
const IS_THERE = 'deleted_at IS NULL';
const LISTED_COLUMNS = 'name, file, adapter, model, scenario_hash';

export function runTable(parts: { database: DatabaseSync; file: string; decode: Decoder }): RunTable {
  const { database, file, decode } = parts;
  const insertRun = database.prepare(
    `INSERT INTO runs (${RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING`,
  );
  const insertScenario = database.prepare(
    `INSERT INTO run_scenarios (run_id, scenario_index, ${SCENARIO_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateRun = database.prepare(
    `UPDATE runs SET finished_at = ?, status = ?, verdict = ?, exit_code = ?, options = ?, git_commit = ?, git_dirty = ?,
       revision = revision + 1 WHERE run_id = ?`,
  );
  const updateSummary = database.prepare(
    'UPDATE run_scenarios SET summary = ? WHERE run_id = ? AND scenario_index = ?',
  );
  const insertFigures = database.prepare(
    'INSERT OR REPLACE INTO scenario_figures (run_id, scenario_index, figures) VALUES (?, ?, ?)',
  );
  const selectFigures = database.prepare(
    `SELECT run_id, figures FROM scenario_figures WHERE run_id IN (SELECT value FROM json_each(?))
     ORDER BY run_id, scenario_index`,
  );
  const selectRun = database.prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = ? AND ${IS_THERE}`);
  const selectRuns = database.prepare(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE (status = 'finished' OR NOT ?) AND (${IS_WHOLE} OR NOT ?) AND ${IS_THERE}
     ORDER BY seq DESC LIMIT ?`,
  );
  const selectRunsAt = database.prepare(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE git_commit = ? AND git_dirty = 0 AND status = 'finished' AND ${IS_WHOLE}
     AND ${IS_THERE} ORDER BY seq DESC LIMIT ?`,
  );
  const selectChosen = database.prepare(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (SELECT value FROM json_each(?)) AND ${IS_THERE} ORDER BY seq DESC`,
  );
  const selectRevisions = database.prepare(
    `SELECT run_id, revision, status FROM runs WHERE ${IS_THERE} ORDER BY seq DESC`,
  );
  const selectScenarios = database.prepare(
    `SELECT ${SCENARIO_COLUMNS} FROM run_scenarios WHERE run_id = ? ORDER BY scenario_index`,
  );
  // Data and cases can be large, and a list of runs rarely needs them.
  const selectListed = database.prepare(
    `SELECT ${LISTED_COLUMNS}, '' AS scenario,
       CASE WHEN ? OR NOT json_valid(summary) THEN summary ELSE json_set(summary, '$.cases', json('[]')) END AS summary
     FROM run_scenarios WHERE run_id = ? ORDER BY scenario_index`,
  );
  const selectIds = database.prepare(
    `SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ? || char(1114111) AND ${IS_THERE}
     ORDER BY seq DESC LIMIT ?`,
  );

  const { readHead, readScenarios, readListed, readRevision, readFigures } = runRows(file, decode);

  return {
    create(run) {
      const all = new Map<string, string>();
      const take = (what: string, value: unknown) => {
        const { document, blobs: found } = encode(what, value);
        for (const [reference, text] of found) all.set(reference, text);
        return document;
      };
      const options = take(`The run ${run.run_id}`, run.options);
      const scenarios = run.scenarios.map((entry) => ({
        ...entry,
        scenario: take(`The scenario ${entry.name}`, entry.scenario),
        summary: entry.summary === null ? null : take(`The summary of ${entry.name}`, entry.summary),
        figures: take(`The figures of ${entry.name}`, scenarioFigures(entry, entry.summary)),
      }));
      const head = [run.run_id, run.created_at, run.finished_at, run.status, run.verdict, run.exit_code];
      const end = [...gitColumns(run), DOCUMENT_VERSION];
      return {
        blobs: all,
        change() {
          const { changes } = insertRun.run(...head, run.salvo_version, run.reeval_of, options, ...end);
          if (changes === 0) throw new SalvoError('RUN_EXISTS', `There is a run ${run.run_id} in ${file} already.`);
          for (const [index, entry] of scenarios.entries()) {
            const { name, file, adapter, model, scenario_hash, scenario, summary, figures } = entry;
            insertScenario.run(run.run_id, index, name, file, adapter, model, scenario_hash, scenario, summary);
            insertFigures.run(run.run_id, index, figures);
          }
        },
      };
    },
    update(runId, { summaries = [], ...change }) {
      const encoded = summaries.map((summary) => ({
        summary: encode(`The summary of ${summary.name}`, summary),
        figures: encode(`The figures of ${summary.name}`, scenarioFigures(summary, summary)),
      }));
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      return {
        blobs: new Map(encoded.flatMap(({ summary, figures }) => [...summary.blobs, ...figures.blobs])),
        change() {
          const row = selectRun.get(runId);
          if (row === undefined) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId} in ${file}.`);
          const next: Omit<RunRecord, 'scenarios'> = { ...readHead(row), ...given };
          const options = JSON.stringify(next.options);
          const { finished_at, status, verdict, exit_code } = next;
          updateRun.run(finished_at, status, verdict, exit_code, options, ...gitColumns(next), runId);
          for (const [index, { summary, figures }] of encoded.entries()) {
            const { changes } = updateSummary.run(summary.document, runId, index);
            if (changes === 0) throw new SalvoError('SCENARIO_UNKNOWN', `Run ${runId} has no scenario ${index}.`);
            insertFigures.run(runId, index, figures.document);
          }
        },
      };
    },
    get(runId) {
      const row = selectRun.get(runId);
      return row === undefined
        ? null
        : { ...readHead(row), scenarios: readScenarios(runId, selectScenarios.all(runId)) };
    },
    list({ limit = -1, complete = false, whole = false, cases = false, commit, runIds, onUnreadable }) {
      const conditions = [complete, whole].map(Number);
      const rows = runIds
        ? selectChosen.all(JSON.stringify(runIds))
        : commit === undefined
          ? selectRuns.all(...conditions, limit)
          : selectRunsAt.all(commit, limit);
      const readRow = (row: unknown): RunListing => {
        const head = readHead(row);
        return { ...head, scenarios: readListed(head.run_id, selectListed.all(cases ? 1 : 0, head.run_id)) };
      };
      return readableRuns(rows, readRow, onUnreadable);
    },
    figures(runIds, onUnreadable) {
      const chosen = JSON.stringify(runIds);
      const byRun = Map.groupBy(selectFigures.all(chosen), ({ run_id }) => String(run_id));
      const readRow = (row: Record<string, unknown>): RunFigures => {
        const own = (byRun.get(String(row.run_id)) ?? []).map(({ figures }) => String(figures));
        return readFigures(readHead(row), own);
      };
      return readableRuns(selectChosen.all(chosen), readRow, onUnreadable);
    },
    revisions: () => selectRevisions.all().map(readRevision),
    findIds: (prefix, limit) => selectIds.all(prefix, prefix, limit).map((row) => String(row.run_id)),
  };
}

function gitColumns({ git }: Pick<RunRecord, 'git'>): [string | null, number | null] {
  return git ? [git.commit, git.dirty ? 1 : 0] : [null, null];
}

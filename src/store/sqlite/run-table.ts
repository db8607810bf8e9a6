import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type ScenarioSummary, scenarioSummarySchema, verdictSchema } from '../../run/run-document.ts';
import type { RunChange, RunRecord, RunScenario } from '../../run/run-record.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { RunListing, RunRevision, Store } from '../store.ts';
import { runOptionsSchema, storedScenarioSchema } from '../stored-documents.ts';
import type { Write } from './blob-table.ts';
import { conforms, type Decoder, encode } from './document-codec.ts';
import { damaged } from './sqlite-error.ts';

/** Runs with their scenarios. */
export interface RunTable {
  create(run: RunRecord): Write;
  update(runId: string, change: RunChange): Write;
  get(runId: string): RunRecord | null;
  list(query: NonNullable<Parameters<Store['listRuns']>[0]>): RunListing[];
  findIds(prefix: string, limit: number): string[];
  revisions(): RunRevision[];
}

/** Rows as SQLite returns them; documents inside them are still text. */
const runRowSchema = z.object({
  run_id: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  status: z.enum(['running', 'finished', 'interrupted']),
  verdict: verdictSchema.nullable(),
  exit_code: z.int().nullable(),
  salvo_version: z.string(),
  reeval_of: z.string().nullable(),
  options: z.string(),
  git_commit: z.string().nullable(),
  git_dirty: z.int().nullable(),
});
const scenarioRowSchema = z.object({
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  scenario_hash: z.string(),
  scenario: z.string(),
  summary: z.string().nullable(),
});
const revisionSchema = runRowSchema.pick({ run_id: true, status: true }).extend({ revision: z.int() });
const RUN_COLUMNS = Object.keys(runRowSchema.shape).join(', ');
const SCENARIO_COLUMNS = Object.keys(scenarioRowSchema.shape).join(', ');
/** Not a shard of a run. */
const IS_WHOLE = `json_extract(options, '$.shard') IS NULL`;
const IS_THERE = 'deleted_at IS NULL';
const LISTED_COLUMNS = 'name, file, adapter, model, scenario_hash';

type RunRow = z.infer<typeof runRowSchema>;

export function runTable(parts: { database: DatabaseSync; file: string; decode: Decoder }): RunTable {
  const { database, file, decode } = parts;
  const insertRun = database.prepare(
    `INSERT INTO runs (${RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING`,
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
       CASE WHEN ? THEN summary ELSE json_set(summary, '$.cases', json('[]')) END AS summary
     FROM run_scenarios WHERE run_id = ? ORDER BY scenario_index`,
  );
  const selectIds = database.prepare(
    `SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ? || char(1114111) AND ${IS_THERE}
     ORDER BY seq DESC LIMIT ?`,
  );

  function checkedRow(row: unknown): RunRow {
    if (!conforms(runRowSchema, row)) throw damaged(file, 'A run');
    return row;
  }

  function runHead(row: RunRow): Omit<RunRecord, 'scenarios'> {
    const { git_commit: commit, git_dirty, ...rest } = row;
    const git = commit === null ? null : { commit, dirty: git_dirty !== 0 };
    return { ...rest, options: decode(`The run ${row.run_id}`, runOptionsSchema, row.options), git };
  }

  function scenariosWithSnapshots(runId: string): RunScenario[] {
    return scenarioRows(selectScenarios.all(runId), runId).map(({ snapshot, ...listed }) => ({
      ...listed,
      scenario: decode(`The scenario ${listed.name} of run ${runId}`, storedScenarioSchema, snapshot),
    }));
  }

  function scenarioRows(rows: unknown[], runId: string): (Omit<RunScenario, 'scenario'> & { snapshot: string })[] {
    return rows.map((row) => {
      const what = `A scenario of run ${runId}`;
      if (!conforms(scenarioRowSchema, row)) throw damaged(file, what);
      const { scenario: snapshot, summary, ...rest } = row;
      return { ...rest, snapshot, summary: summary === null ? null : decodeSummary(what, summary) };
    });
  }

  function decodeSummary(what: string, document: string): ScenarioSummary {
    const summary: z.input<typeof scenarioSummarySchema> = decode(what, scenarioSummarySchema, document);
    // Summaries that were stored before there were judges have no such field.
    return { ...summary, judges: summary.judges ?? [] };
  }

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
      }));
      const head = [run.run_id, run.created_at, run.finished_at, run.status, run.verdict, run.exit_code];
      return {
        blobs: all,
        change() {
          const { changes } = insertRun.run(...head, run.salvo_version, run.reeval_of, options, ...gitColumns(run));
          if (changes === 0)
            throw new SalvoError('STORE_RUN_EXISTS', `There is a run ${run.run_id} in ${file} already.`);
          for (const [index, { name, file, adapter, model, scenario_hash, scenario, summary }] of scenarios.entries()) {
            insertScenario.run(run.run_id, index, name, file, adapter, model, scenario_hash, scenario, summary);
          }
        },
      };
    },
    update(runId, { summaries = [], ...change }) {
      const encoded = summaries.map((summary) => encode(`The summary of ${summary.name}`, summary));
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      return {
        blobs: new Map(encoded.flatMap(({ blobs }) => [...blobs])),
        change() {
          const row = selectRun.get(runId);
          if (row === undefined) throw new SalvoError('STORE_UNKNOWN_RUN', `There is no run ${runId} in ${file}.`);
          const next: Omit<RunRecord, 'scenarios'> = { ...runHead(checkedRow(row)), ...given };
          const options = JSON.stringify(next.options);
          const { finished_at, status, verdict, exit_code } = next;
          updateRun.run(finished_at, status, verdict, exit_code, options, ...gitColumns(next), runId);
          for (const [index, { document }] of encoded.entries()) {
            const { changes } = updateSummary.run(document, runId, index);
            if (changes === 0) throw new SalvoError('STORE_UNKNOWN_SCENARIO', `Run ${runId} has no scenario ${index}.`);
          }
        },
      };
    },
    get(runId) {
      const row = selectRun.get(runId);
      return row === undefined ? null : { ...runHead(checkedRow(row)), scenarios: scenariosWithSnapshots(runId) };
    },
    list({ limit = -1, complete = false, whole = false, cases = false, commit, runIds }) {
      const conditions = [complete, whole].map(Number);
      const rows = runIds
        ? selectChosen.all(JSON.stringify(runIds))
        : commit === undefined
          ? selectRuns.all(...conditions, limit)
          : selectRunsAt.all(commit, limit);
      return rows.map((row) => {
        const head = runHead(checkedRow(row));
        const scenarios = scenarioRows(selectListed.all(cases ? 1 : 0, head.run_id), head.run_id);
        return { ...head, scenarios: scenarios.map(({ snapshot: _, ...listed }) => listed) };
      });
    },
    revisions: () =>
      selectRevisions.all().map((row) => {
        if (!conforms(revisionSchema, row)) throw damaged(file, 'A run');
        return row;
      }),
    findIds: (prefix, limit) => selectIds.all(prefix, prefix, limit).map((row) => String(row.run_id)),
  };
}

function gitColumns({ git }: Pick<RunRecord, 'git'>): [string | null, number | null] {
  return git ? [git.commit, git.dirty ? 1 : 0] : [null, null];
}

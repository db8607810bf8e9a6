import { z } from 'zod';
import { type ScenarioSummary, scenarioSummarySchema, verdictSchema } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import type { RunFigures, RunListing, RunRevision } from '../store.ts';
import { runOptionsSchema, storedScenarioSchema } from '../stored-documents.ts';
import { conforms, type Decoder, DOCUMENT_VERSION, ofNewerSalvo, unreadable } from './document-codec.ts';
import { completeOptions, completeSummary } from './earlier-documents.ts';

/** Rows as a database returns them; documents inside them are still text. */
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
  document_version: z.int(),
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
/** The figures of a summary that lists show. */
const listedSummarySchema = scenarioSummarySchema.pick({
  verdict: true,
  pass_rate: true,
  pass_rate_ci: true,
  score_avg: true,
  trials_total: true,
  cost_total_usd: true,
  cost_at_least: true,
  judge_cost_usd: true,
  judge_cost_at_least: true,
});
export type SummaryFigures = z.infer<typeof listedSummarySchema>;

const figuresSchema = z.object({
  name: z.string(),
  file: z.string(),
  adapter: z.string(),
  model: z.string(),
  /** Null until the run ends. */
  summary: listedSummarySchema.nullable(),
});
export type ScenarioFigures = z.infer<typeof figuresSchema>;

const revisionSchema = runRowSchema.pick({ run_id: true }).extend({ status: z.string(), revision: z.int() });
const isStatus = (status: string): status is RunRecord['status'] => runRowSchema.shape.status.safeParse(status).success;
export const RUN_COLUMNS = Object.keys(runRowSchema.shape).join(', ');
export const SCENARIO_COLUMNS = Object.keys(scenarioRowSchema.shape).join(', ');

export type RunRows = ReturnType<typeof runRows>;

/** Reads rows of runs and of their scenarios, of whichever database. */
export function runRows(database: string, decode: Decoder) {
  function readRows(runId: string, rows: unknown[]): (Omit<RunScenario, 'scenario'> & { snapshot: string })[] {
    return rows.map((row) => {
      const what = `A scenario of run ${runId}`;
      if (!conforms(scenarioRowSchema, row)) throw unreadable(database, what);
      const { scenario: snapshot, summary, ...rest } = row;
      return { ...rest, snapshot, summary: summary === null ? null : readSummary(what, summary) };
    });
  }

  function readSummary(what: string, document: string): ScenarioSummary {
    return decode(what, scenarioSummarySchema, document, completeSummary);
  }

  return {
    readHead(row: unknown): Omit<RunRecord, 'scenarios'> {
      if (!conforms(runRowSchema, row)) throw unreadable(database, 'A run');
      const { git_commit: commit, git_dirty, document_version, ...rest } = row;
      if (document_version > DOCUMENT_VERSION) throw ofNewerSalvo(database, `The run ${row.run_id}`, document_version);
      const git = commit === null ? null : { commit, dirty: git_dirty !== 0 };
      return { ...rest, options: decode(`The run ${row.run_id}`, runOptionsSchema, row.options, completeOptions), git };
    },
    readScenarios: (runId: string, rows: unknown[]): RunScenario[] =>
      readRows(runId, rows).map(({ snapshot, ...listed }) => ({
        ...listed,
        scenario: decode(`The scenario ${listed.name} of run ${runId}`, storedScenarioSchema, snapshot),
      })),
    /** The same without snapshots. */
    readListed: (runId: string, rows: unknown[]): RunListing['scenarios'] =>
      readRows(runId, rows).map(({ snapshot: _, ...listed }) => listed),
    readRevision(row: unknown): RunRevision {
      if (!conforms(revisionSchema, row)) throw unreadable(database, 'A run');
      // Nobody is at work on a run whose status nobody knows.
      return { ...row, status: isStatus(row.status) ? row.status : 'interrupted' };
    },
    /** `figures` are the documents that `scenarioFigures` makes. */
    readFigures(head: Omit<RunRecord, 'scenarios'>, figures: readonly string[]): RunFigures {
      const { run_id, created_at, finished_at, status, verdict, reeval_of, options } = head;
      const what = `A scenario of run ${run_id}`;
      const scenarios = figures.map((document) => decode(what, figuresSchema, document));
      return { run_id, created_at, finished_at, status, verdict, reeval_of, seed: options.seed, scenarios };
    },
  };
}

/** What is kept beside a scenario of a run, so that a list of runs need not read its summary. */
export function scenarioFigures(
  { name, file, adapter, model }: Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>,
  summary: ScenarioSummary | null,
): ScenarioFigures {
  return { name, file, adapter, model, summary: summary && listedSummarySchema.parse(summary) };
}

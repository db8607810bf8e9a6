import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { resolveRunId } from '../../store/resolve-id.ts';
import type { RunListing, Store, StoredRow, UnreadableRun } from '../../store/store.ts';
import { openResources } from '../../text/open-resources.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { findRun, openProject, openProjectIfStored, type Workplace } from '../project/open-project.ts';
import { howToComplete } from './choose-trial.ts';

/** A stored run with its trials, read from the open store. Dispose of it when done. */
export interface OpenRun extends AsyncDisposable {
  /** As it is stored, without secrets. */
  run: RunRecord;
  /** In order of scenario, case and number, with their traces; read as they are consumed. */
  trials(): AsyncIterable<ExportedTrial>;
  store: Store;
  project: Project;
  /** Sentences for the reader of a report. */
  notes: string[];
}

/** A trial with everything that is stored of it: one line of `salvo export`. */
export interface ExportedTrial {
  run_id: string;
  scenario: string;
  file: string;
  adapter: string;
  model: string;
  case_index: number;
  /** The name of the case; null without data. */
  case: string | null;
  /** The row of the case; null without data. */
  row: Record<string, unknown> | null;
  trial_number: number;
  result: TrialResult | null;
  trace: Trace | null;
}

/** A stored run: by its id, the beginning of it, or `latest`. */
export async function openRun(options: Workplace & { run: string }): Promise<OpenRun> {
  await using resources = openResources();
  const { store, project } = resources.use(await openProject(options, { readOnly: true }));
  const run = await findRun(store, options.run);
  const newer = options.run === 'latest' ? await newerIncompleteRun(store, run.run_id) : null;
  const notes = [newer, comparisonNote(run)].filter((note) => note !== null);
  return resources.keepFor({ run, store, project, notes, trials: () => trialsOf(store, run) });
}

/** One at a time, so that a run of any size can be exported. */
export async function* trialsOf(
  store: Pick<Store, 'trials' | 'getTrace'>,
  { run_id, scenarios }: Pick<RunRecord, 'run_id' | 'scenarios'>,
): AsyncGenerator<ExportedTrial> {
  for await (const trial of store.trials(run_id)) {
    const { scenario_index, case_index, trial_number, trace_id, result } = trial;
    const scenario = scenarios[scenario_index];
    if (!scenario) continue;
    const { name, file, adapter, model } = scenario;
    const trace = trace_id === null ? null : await store.getTrace(trace_id);
    const row = scenario.scenario.data?.[case_index] ?? null;
    const place = { run_id, scenario: name, file, adapter, model, case_index, case: trial.case, row };
    yield { ...place, trial_number, result, trace };
  }
}

/** How to see the comparison that a verdict is from: it is not stored, because its base may be a file. */
function comparisonNote({ run_id, options }: RunRecord): string | null {
  if (!options.against) return null;
  const command = `${salvoCommand()} compare ${shellQuote(options.against.source)} ${run_id}`;
  return `It was compared with ${options.against.source}. To see how: ${command}`;
}

/** A sentence about a newer run than the latest complete one; null if there is none. */
export async function newerIncompleteRun(store: Store, latestId: string): Promise<string | null> {
  const [newestId = latestId] = await store.findRunIds('', 1);
  if (newestId === latestId) return null;
  const [newest] = await store.listRuns({ runIds: [newestId] });
  if (!newest) return null;
  return `This is the latest complete run. Run ${newest.run_id} is newer, but incomplete.${await howToComplete(store, newest)}`;
}

export interface ListRunsOptions extends Workplace {
  /** The newest so many; all if not given. */
  limit?: number | undefined;
  /** Called with what is left out because it can't be read. */
  onUnreadable?: ((run: UnreadableRun) => void) | undefined;
}

/**
 * The newest stored runs, newest first. None before the first one: listing must not create a store. A shard is no run of
 * its own: the history would have its trials twice.
 */
export async function listRuns(options: ListRunsOptions = {}): Promise<RunListing[]> {
  const { limit, onUnreadable = () => {}, ...place } = options;
  await using opened = await openProjectIfStored(place);
  if (!opened.store) return [];
  return await opened.store.listRuns({
    ...{ cases: true, whole: true, onUnreadable },
    ...(limit === undefined ? {} : { limit }),
  });
}

/** What is stored of a run, row by row, also if it can't be read. */
export async function* exportRawRun(options: Workplace & { run: string }): AsyncGenerator<StoredRow> {
  await using opened = await openProject(options, { readOnly: true });
  const { store } = opened;
  yield* store.storedRows(await resolveRunId(store, options.run));
}

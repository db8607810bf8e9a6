import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FileReport, ImportReport } from '../../imports/import-document.ts';
import type { ImportFormat } from '../../imports/import-format.ts';
import { type ByteSource, openSource } from '../../imports/input/byte-source.ts';
import { formatNamed } from '../../imports/recognise.ts';
import { idOfHash } from '../../queue/new-id.ts';
import { newRun } from '../../run/record/new-run.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { openProjectStore, openStoreIfAny, type Workplace } from '../project/open-project.ts';
import { createFieldReader, type FieldChoice } from './field-choice.ts';
import { createFileTally } from './file-tally.ts';
import { createImportPlan, type PlannedSuite } from './import-plan.ts';
import { contentOf, type ImportFile, importFiles, nameOfFiles } from './import-sources.ts';
import { importedScenarios } from './imported-scenarios.ts';
import { type EqualConversations, type ImportReading, readImports } from './read-imports.ts';
import { storeImport } from './store-import.ts';

export interface ImportTracesOptions extends Workplace, FieldChoice {
  /** Files and folders; `-` is standard input. */
  files: readonly string[];
  /** The format of all files; by default each is recognised by its content. */
  format?: string | undefined;
  /** The name of the scenario, if the files have none. */
  name?: string | undefined;
  /** Only read, and store nothing. */
  dryRun?: boolean | undefined;
  /** Refuse files of which anything would be lost. */
  strict?: boolean | undefined;
  /** What `-` is read from; the standard input of the process if not given. */
  input?: Readable | undefined;
  /** Aborted: what was stored stays, and the run is interrupted. */
  stop?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportProgress {
  phase: 'reading' | 'storing';
  conversations: number;
  /** Null while it is not known. */
  total: number | null;
}

/** Another version of the readers gives other traces, so that the same files are another import. */
const READERS_VERSION = 1;

/** Reads recorded conversations of any known format and stores them as a run. Nothing is judged. */
export async function importTraces(options: ImportTracesOptions): Promise<ImportReport> {
  const { cwd = process.cwd(), env = process.env } = options;
  const format = options.format === undefined ? null : formatNamed(options.format);
  const files = await importFiles(options.files, cwd);
  const project = await loadSettings(cwd);
  await using resources = openResources();
  const sources: ByteSource[] = [];
  for (const { path, name } of files) {
    const source = await openSource(path, { name, input: options.input ?? process.stdin });
    sources.push(resources.use(source));
  }
  if (options.dryRun) return (await plannedImport(options, { files, sources, format })).report;
  const content = await contentOf(sources.map(({ path, name }) => ({ path: path ?? '', name })));
  const ids = possibleIds([READERS_VERSION, content, choicesOf(options)]);
  const existing = await storedImport(project, { env, ids });
  if (existing) {
    // What was lost then is still lost.
    if (options.strict) await plannedImport(options, { files, sources, format });
    return existing;
  }
  const { report, scenarios: planned, equal, firstTrial } = await plannedImport(options, { files, sources, format });
  if (options.stop?.aborted) return { ...report, status: 'interrupted' };
  const store = resources.adopt(await openProjectStore(project, { env, patience: options.patience }), (opened) =>
    opened.close(),
  );
  const { runId, isInterrupted, summaries } = await withFreeId(ids, async (id) => {
    const again = readingOf(options, { sources, format, firstTrial, files });
    return storeImport({
      ...{ run: (await store.getRun(id)) ?? newImport(id, planned, files), store, project, stop: options.stop },
      conversations: (stop) => counted(readImports({ ...again, stop }, equal), 'storing', options, trialsOf(report)),
    });
  });
  const scenarios = report.scenarios.map((each, index) => {
    return { ...each, pass_hat_k: passHatK(summaries[index] ?? null) };
  });
  return { ...report, scenarios, run_id: runId, status: isInterrupted ? 'interrupted' : 'stored' };
}

/** A run that was deleted keeps its id for a while, and may be brought back. Its files can be imported again all the same. */
const MOST_IDS = 8;

function possibleIds(content: readonly unknown[]): string[] {
  return Array.from({ length: MOST_IDS }, (_, attempt) =>
    idOfHash(hash('sha256', JSON.stringify([...content, attempt]), 'hex')),
  );
}

/** Calls `store` with the first id that no deleted run has. */
async function withFreeId<Stored>(ids: readonly string[], store: (runId: string) => Promise<Stored>) {
  for (const runId of ids) {
    try {
      return { runId, ...(await store(runId)) };
    } catch (error) {
      const isDeleted = error instanceof SalvoError && error.code === 'RUN_EXISTS';
      if (!isDeleted || runId === ids.at(-1)) throw error;
    }
  }
  throw new RangeError('there is no id');
}

/** What decides what is stored, besides the content of the files. */
function choicesOf({ format, name, case: ofCase, trial, passed, reward, passAt }: ImportTracesOptions): unknown[] {
  return [format, name, ofCase, trial, passed, reward, passAt].map((choice) => choice ?? null);
}

interface OpenFiles {
  files: readonly ImportFile[];
  sources: readonly ByteSource[];
  format: ImportFormat | null;
}

/** Reads everything once, to know what is there before anything is stored. */
async function plannedImport(options: ImportTracesOptions, opened: OpenFiles) {
  const reading = readingOf(options, { ...opened, firstTrial: 1 });
  const given = { outcomes: 0, passed: 0 };
  for await (const conversation of counted(readImports(reading, null), 'reading', options, null)) {
    if (!conversation.given) continue;
    given.outcomes += 1;
    if (conversation.given.passed) given.passed += 1;
  }
  const { suites } = reading.plan;
  const reports = reading.tallies.map((tally) => tally.report());
  if (!options.stop?.aborted) {
    refuseUnreadable(reports, reading.found);
    if (options.strict) refuseLosses(reports);
    reading.fields.refuseUnknown();
  }
  const report: ImportReport = {
    run_id: null,
    status: 'dry_run',
    files: reports,
    scenarios: suites.map(({ name, cases }) => ({
      name,
      cases: cases.size,
      trials: trialsOfCases(cases),
      pass_hat_k: {},
    })),
    given,
    notes: [...notesOn(reading.equal), ...notesOnEmpty(reports)],
  };
  // Some programs count trials from 0.
  return {
    report,
    // The plan itself is not kept while all is read again.
    scenarios: importedScenarios(suites, opened.files[0]?.name ?? ''),
    equal: reading.equal,
    firstTrial: Math.min(1, reading.plan.leastTrial()) === 0 ? 0 : 1,
  };
}

function readingOf(
  options: ImportTracesOptions,
  { files, sources, format, firstTrial }: OpenFiles & { firstTrial: number },
): ImportReading {
  return {
    ...{ sources, format, stop: options.stop, equal: { doubled: new Set(), kept: 0 } },
    found: new Set(files.flatMap(({ name, isFound }) => (isFound ? [name] : []))),
    fields: createFieldReader(options),
    plan: createImportPlan({ name: options.name ?? nameOfFiles(files, options), firstTrial }),
    tallies: sources.map(({ name, bytes }) => createFileTally(name, bytes)),
  };
}

async function* counted<Item>(
  items: AsyncIterable<Item>,
  phase: ImportProgress['phase'],
  { onProgress }: ImportTracesOptions,
  total: number | null,
): AsyncGenerator<Item> {
  let conversations = 0;
  for await (const item of items) {
    conversations += 1;
    if (conversations % 100 === 0) onProgress?.({ phase, conversations, total });
    yield item;
  }
}

function trialsOf({ scenarios }: ImportReport): number {
  return scenarios.reduce((sum, { trials }) => sum + trials, 0);
}

function trialsOfCases(cases: PlannedSuite['cases']): number {
  return cases.values().reduce((sum, { count }) => sum + count, 0);
}

/** A file in which nothing was said does not keep others from being read. */
function refuseUnreadable(reports: readonly FileReport[], found: ReadonlySet<string>): void {
  const empty = reports.filter(isEmpty);
  const isUnread = ({ file, losses_total }: FileReport): boolean => losses_total > 0 && !found.has(file);
  const unread = empty.length === reports.length ? empty[0] : empty.find(isUnread);
  if (!unread) return;
  const [first] = unread.losses;
  const place = first && first.line > 0 ? `${unread.file}:${first.line}` : unread.file;
  const why = first ? `${place} ${first.problem}` : `${unread.file} has no conversation`;
  const more = unread.losses_total > 1 ? ` ${unread.losses_total - 1} more could not be read.` : '';
  throw new SalvoError('IMPORT_NOTHING_READ', `Nothing of ${unread.file} could be read: ${why}.${more}`);
}

function isEmpty({ conversations, doubled }: FileReport): boolean {
  return conversations === 0 && doubled === 0;
}

const MOST_LISTED = 10;

function refuseLosses(reports: readonly FileReport[]): void {
  const lines = reports.flatMap(({ file, losses }) => losses.map((loss) => lossLine(file, loss)));
  const total = reports.reduce((sum, each) => sum + each.losses_total, 0);
  if (total === 0) return;
  const rest = total > MOST_LISTED ? `\n  and ${total - MOST_LISTED} more` : '';
  throw new SalvoError(
    'IMPORT_LOSSY',
    `Nothing was stored, because {option:strict} allows no loss:${lines
      .slice(0, MOST_LISTED)
      .map((line) => `\n  ${line}`)
      .join('')}${rest}`,
  );
}

function lossLine(file: string, { line, place, problem }: FileReport['losses'][number]): string {
  return `${line > 0 ? `${file}:${line}` : file}${place === '' ? '' : ` ${place}`} ${problem}`;
}

function notesOn({ kept }: EqualConversations): string[] {
  if (kept === 0) return [];
  return [
    `${kept} conversations are equal to one before. They have neither an id nor a time, so each is a trial of its own.`,
  ];
}

function notesOnEmpty(reports: readonly FileReport[]): string[] {
  const empty = reports.filter((each) => isEmpty(each) && each.losses_total === 0).map(({ file }) => file);
  if (empty.length === 0) return [];
  const more = empty.length > MOST_LISTED ? ` and ${empty.length - MOST_LISTED} more` : '';
  return [`Nothing was said in ${empty.slice(0, MOST_LISTED).join(', ')}${more}, so no conversation is read from it.`];
}

/** With one trial for each case it says nothing more than the pass rate. */
function passHatK(summary: ScenarioSummary | null): Record<string, number> {
  return summary?.given && summary.pass_hat_k['2'] !== undefined ? summary.pass_hat_k : {};
}

/** The same import, if it is complete. */
async function storedImport(
  project: Parameters<typeof openProjectStore>[0],
  { env, ids }: { env: NonNullable<Workplace['env']>; ids: readonly string[] },
): Promise<ImportReport | null> {
  await using opened = await openStoreIfAny(project, { env });
  let run: RunRecord | null = null;
  for (const id of ids) run ??= (await opened.store?.getRun(id)) ?? null;
  if (run?.status !== 'finished') return null;
  return {
    run_id: run.run_id,
    status: 'present',
    files: [],
    scenarios: run.scenarios.map(({ name, scenario, summary }) => {
      return {
        name,
        cases: scenario.data?.length ?? 0,
        trials: summary?.trials_total ?? 0,
        pass_hat_k: passHatK(summary),
      };
    }),
    given: {
      outcomes: run.scenarios.reduce((sum, { summary }) => sum + (summary?.trials_scored ?? 0), 0),
      passed: run.scenarios.reduce((sum, { summary }) => sum + (summary?.trials_passed ?? 0), 0),
    },
    notes: [],
  };
}

function newImport(runId: string, scenarios: RunScenario[], files: readonly ImportFile[]): RunRecord {
  const names = files.map(({ name }) => name);
  const run = newRun({
    reeval_of: null,
    git: null,
    scenarios,
    options: {
      ...{ trials: null, cases: null, seed: null, min_pass_rate: null, min_score: null },
      ...{ record_only: true, allow_unscored: true, imported: { files: names.slice(0, 100) } },
    },
  });
  return { ...run, run_id: runId };
}

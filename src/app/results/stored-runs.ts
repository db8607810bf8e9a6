import { assertionIds } from '../../evaluators/assertion-ids.ts';
import type { RunReport, RunStream } from '../../report/run/run-report.ts';
import { storedRunReport } from '../../report/run/stored-run-report.ts';
import { scenarioHandles } from '../../report/run/words/scenario-handles.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { resolveRunId } from '../../store/resolve-id.ts';
import type { OnUnreadable, RunListing, Store, StoredRow } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { findRun, openProject, type Workplace } from '../project/open-project.ts';
import { chooseTrial, howToComplete, resultOf } from './choose-trial.ts';
import { findTrials } from './find-trials.ts';

/** A stored run with a verdict. `stream` reads its trials from the open store: dispose of this when done. */
export interface ReportedRun extends AsyncDisposable {
  run: RunRecord;
  report: RunReport;
  stream: RunStream;
}

/** The report of a stored run, named by its id, the beginning of it, or `latest`. */
export async function reportRun(options: Workplace & { run: string }): Promise<ReportedRun> {
  await using resources = openResources();
  const { store } = resources.use(await openProject(options, { readOnly: true }));
  const run = await findRun(store, options.run);
  if (run.verdict === null) {
    throw new SalvoError('RUN_UNFINISHED', `Run ${run.run_id} has no verdict yet.${await howToComplete(store, run)}`);
  }
  const { report, stream } = await storedRunReport(store, run);
  const newer = options.run === 'latest' ? await newerIncompleteRun(store, run.run_id) : null;
  const notes = [...(report.notes ?? []), newer, comparisonNote(run)].filter((note) => note !== null);
  return resources.keepFor({ run, report: { ...report, notes }, stream });
}

/** How to see the comparison that a verdict is from: it is not stored, because its base may be a file. */
function comparisonNote({ run_id, options }: RunRecord): string | null {
  if (!options.against) return null;
  const command = `${salvoCommand()} compare ${shellQuote(options.against.source)} ${run_id}`;
  return `It was compared with ${options.against.source}. To see how: ${command}`;
}

/** A sentence about a newer run than the latest complete one; null if there is none. */
async function newerIncompleteRun(store: Store, latestId: string): Promise<string | null> {
  const [newestId = latestId] = await store.findRunIds('', 1);
  if (newestId === latestId) return null;
  const [newest] = await store.listRuns({ runIds: [newestId] });
  if (!newest) return null;
  return `This is the latest complete run. Run ${newest.run_id} is newer, but incomplete.${await howToComplete(store, newest)}`;
}

/** The newest stored runs, newest first. A shard is no run of its own: the history would have its trials twice. */
export async function listRuns(
  options: Workplace & { limit?: number | undefined; onUnreadable?: OnUnreadable },
): Promise<RunListing[]> {
  await using opened = await openProject(options, { readOnly: true });
  const { limit, onUnreadable = () => {} } = options;
  return await opened.store.listRuns({
    ...{ cases: true, whole: true, onUnreadable },
    ...(limit === undefined ? {} : { limit }),
  });
}

export interface ReplayedTrial {
  traceId: string;
  trace: Trace;
  /** The trial it belongs to; null when the process ended before it was stored. */
  trial: {
    runId: string;
    scenario: string;
    /** What to call the scenario in a command: `refund`, or `refund@gpt-5` if it ran with several models. */
    handle: string;
    /** Null in a scenario without data. */
    caseName: string | null;
    trialNumber: number;
    /** Null when it was not judged yet. */
    result: TrialResult | null;
    /** By id, what to call an assertion whose id is a template: with the value of the row. */
    assertionNames: ReadonlyMap<string, string>;
  } | null;
  /** Why it is this trial, when that is not obvious from what was asked for. */
  note: string | null;
}

export interface ReplayOptions extends Workplace {
  /**
   * `RUN/SCENARIO/13`, `SCENARIO/13`, `RUN/13`, `13`, `RUN`, `SCENARIO` or the id of a trace; a case can follow the
   * scenario, as in `RUN/SCENARIO/CASE/13`, and a scenario can be `SCENARIO@MODEL`. Without a number it is the first failure. Ids can be shortened; the latest run is meant unless a run is named.
   */
  target: string;
  /** The number of the trial, when it is not part of the target. */
  trial?: number | undefined;
}

/** The stored conversation of a trial, with its result. */
export async function replayTrial(options: ReplayOptions): Promise<ReplayedTrial> {
  const { cwd = process.cwd(), target, trial: trialNumber } = options;
  await using opened = await openProject(options, { readOnly: true });
  const { store, project } = opened;
  const named = await findTrials({ store, cwd, root: project.root, target, trial: trialNumber });
  const newer = target === 'latest' && named.kind === 'run' ? await newerIncompleteRun(store, named.runId) : null;
  const {
    run,
    trial,
    note: why,
  } = named.kind === 'trace'
    ? { run: named.trial && (await store.getRun(named.trial.run_id)), trial: named.trial, note: null }
    : await chooseTrial(store, named);
  const note = [newer, why].filter((each) => each !== null).join('\n') || null;
  const traceId = named.kind === 'trace' ? named.traceId : (trial?.trace_id ?? '');
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  if (!trial) return { traceId, trace, trial: null, note };
  const result = run ? resultOf(run, trial) : trial.result;
  const assertionNames = namesInCase(run?.scenarios[trial.scenario_index]?.scenario, trial.case_index);
  const scenario = run?.scenarios[trial.scenario_index]?.name ?? '';
  const handle = scenarioHandles(run?.scenarios ?? [])[trial.scenario_index] ?? '';
  const { run_id: runId, case: caseName, trial_number } = trial;
  return {
    traceId,
    trace,
    trial: { runId, scenario, handle, caseName, trialNumber: trial_number, result, assertionNames },
    note,
  };
}

/** `output_contains:"late"` for `output_contains:"{{status}}"`: an id is that of all cases, and this is about one. */
function namesInCase(scenario: Scenario | undefined, caseIndex: number): Map<string, string> {
  if (!scenario?.data) return new Map();
  const ids = assertionIds(scenario.assertions);
  try {
    const names = assertionIds(scenarioCases(scenario).scenarioOf(caseIndex).assertions);
    return new Map(ids.map((id, index) => [id, names[index] ?? id]));
  } catch {
    // A row whose secrets were masked may no longer fit. The ids still name the assertions.
    return new Map();
  }
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

/** The trials of a stored run with their traces, one at a time, so that a run of any size can be exported. */
export async function* exportRun(options: Workplace & { run: string }): AsyncGenerator<ExportedTrial> {
  await using opened = await openProject(options, { readOnly: true });
  const { store } = opened;
  const { run_id, scenarios } = await findRun(store, options.run);
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

/** What is stored of a run, row by row, also if it can't be read. */
export async function* exportRawRun(options: Workplace & { run: string }): AsyncGenerator<StoredRow> {
  await using opened = await openProject(options, { readOnly: true });
  const { store } = opened;
  yield* store.storedRows(await resolveRunId(store, options.run));
}

import type { RunReport, RunStream } from '../report/run/run-report.ts';
import { storedRunReport } from '../report/run/stored-run-report.ts';
import type { RunRecord } from '../run/run-record.ts';
import { resolveTraceId } from '../store/resolve-id.ts';
import type { RunListing } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Trace } from '../trace/trace.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { findRun, openProject, type Workplace } from './open-project.ts';
import { openResources } from './open-resources.ts';

/** A stored run with a verdict. `stream` reads its trials from the open store: dispose of this when done. */
export interface ReportedRun extends AsyncDisposable {
  run: RunRecord;
  report: RunReport;
  stream: RunStream;
}

/** The report of a stored run, named by its id, the beginning of it, or `latest`. */
export async function reportRun(options: Workplace & { run: string }): Promise<ReportedRun> {
  await using resources = openResources();
  const { store } = resources.use(await openProject(options));
  const run = await findRun(store, options.run);
  if (run.verdict === null) {
    throw new SalvoError(
      'RUN_UNFINISHED',
      `Run ${run.run_id} has no verdict yet: it was interrupted or is still at work. \`salvo run --resume ${run.run_id}\` completes it.`,
    );
  }
  return resources.keepFor({ run, ...(await storedRunReport(store, run)) });
}

/** The newest stored runs, newest first. */
export async function listRuns(options: Workplace & { limit?: number | undefined }): Promise<RunListing[]> {
  await using opened = await openProject(options);
  return await opened.store.listRuns(options.limit === undefined ? {} : { limit: options.limit });
}

export interface ReplayedTrace {
  traceId: string;
  trace: Trace;
  /** The trial it belongs to; null when it was never evaluated. */
  trial: { scenario: string; result: TrialResult } | null;
}

/** A stored trace with its result, named by its id, the beginning of it, or `latest`. */
export async function replayTrace(options: Workplace & { trace: string }): Promise<ReplayedTrace> {
  await using opened = await openProject(options);
  const { store } = opened;
  const traceId = await resolveTraceId(store, options.trace);
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  const trial = await store.findTrialOfTrace(traceId);
  if (!trial?.result) return { traceId, trace, trial: null };
  const run = await store.getRun(trial.run_id);
  const scenario = run?.scenarios[trial.scenario_index]?.name ?? '';
  return { traceId, trace, trial: { scenario, result: trial.result } };
}

/** A trial with everything that is stored of it: one line of `salvo export`. */
export interface ExportedTrial {
  run_id: string;
  scenario: string;
  file: string;
  adapter: string;
  model: string;
  trial_number: number;
  result: TrialResult | null;
  trace: Trace | null;
}

/** The trials of a stored run with their traces, one at a time, so that a run of any size can be exported. */
export async function* exportRun(options: Workplace & { run: string }): AsyncGenerator<ExportedTrial> {
  await using opened = await openProject(options);
  const { store } = opened;
  const { run_id, scenarios } = await findRun(store, options.run);
  for await (const { scenario_index, trial_number, trace_id, result } of store.trials(run_id)) {
    const scenario = scenarios[scenario_index];
    if (!scenario) continue;
    const { name, file, adapter, model } = scenario;
    const trace = trace_id === null ? null : await store.getTrace(trace_id);
    yield { run_id, scenario: name, file, adapter, model, trial_number, result, trace };
  }
}

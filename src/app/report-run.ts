import type { RunReport, RunStream } from '../report/run/run-report.ts';
import { storedRunReport } from '../report/run/stored-run-report.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { RunListing } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
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
  const reported = await storedRunReport(store, run);
  const kept = resources.move();
  return { run, ...reported, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

/** The newest stored runs, newest first. */
export async function listRuns(options: Workplace & { limit?: number | undefined }): Promise<RunListing[]> {
  await using opened = await openProject(options);
  return await opened.store.listRuns(options.limit === undefined ? {} : { limit: options.limit });
}

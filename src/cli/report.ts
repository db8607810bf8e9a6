import { findRun, openProject } from '../app/open-project.ts';
import { renderHistory } from '../report/run/history.ts';
import { storedRunReport } from '../report/run/stored-run-report.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { ReportCommandOptions } from './program/commands.ts';
import { terminalLook } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';
import { writeReports } from './terminal/write-reports.ts';

/** `salvo report`: exits with the code of the run it shows, so that a later step of a pipeline can ask again. */
export async function reportCommand(options: ReportCommandOptions, terminal: Terminal): Promise<number> {
  const { stdout } = terminal;
  await using opened = await openProject(terminal);
  if (options.history) {
    const runs = await opened.store.listRuns({ limit: options.limit });
    const look = { ...terminalLook(terminal), now: Date.now() };
    stdout.write(options.json ? `${harmlessJson(runs, 2)}\n` : renderHistory(runs, look));
    return 0;
  }
  const run = await findRun(opened.store, options.run);
  if (run.verdict === null) {
    throw new SalvoError(
      'RUN_UNFINISHED',
      `Run ${run.run_id} has no verdict yet: it was interrupted or is still at work. \`salvo run --resume ${run.run_id}\` completes it.`,
    );
  }
  await writeReports({ ...(await storedRunReport(opened.store, run)), targets: options, terminal });
  return run.exit_code ?? 3;
}

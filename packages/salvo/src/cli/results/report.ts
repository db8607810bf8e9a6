import { listRuns, openRun } from '../../app/results/open-run.ts';
import { reportRun } from '../../app/results/report-run.ts';
import { renderHistory } from '../../report/run/terminal/history.ts';
import { unreadableLines } from '../../report/store-report.ts';
import type { UnreadableRun } from '../../store/store.ts';
import type { ReportCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkTargets, writeReports } from '../terminal/write-reports.ts';

/** `salvo report`: exits with the code of the run, so that a later step of a pipeline can ask for it again. */
export async function reportCommand(options: ReportCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  if (options.history) {
    const unreadable: UnreadableRun[] = [];
    const onUnreadable = (run: UnreadableRun) => unreadable.push(run);
    const runs = await listRuns({ cwd, env, limit: options.limit, onUnreadable });
    const now = Date.now();
    printResult(
      {
        json: options.json,
        kind: 'history',
        document: { runs },
        text: (look) => renderHistory(runs, { ...look, now }),
      },
      terminal,
    );
    terminal.stderr.write(unreadableLines(unreadable));
    return 0;
  }
  await checkTargets(options, terminal);
  await using opened = await openRun({ cwd, env, run: options.run });
  const { report, stream } = await reportRun(opened);
  await writeReports({ report: { ...report, full: options.full }, stream, targets: options, terminal });
  return report.exit_code;
}

import { outputsOfRun } from '../../app/results/outputs-of-run.ts';
import type { ReportableRun } from '../../app/results/report-run.ts';
import { outputsText } from '../../report/run/terminal/outputs-report.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { terminalLook } from './print-result.ts';
import type { Terminal } from './terminal.ts';

/** More would push the report out of sight; the viewer has pages. */
const MOST_CASES = 100;

/** `--show-outputs`: what each case was asked and answered, before the report. */
export async function showOutputs(
  { store, run }: Pick<ReportableRun, 'store' | 'run'>,
  terminal: Terminal,
): Promise<void> {
  const found = await outputsOfRun(store, run, { mostCases: MOST_CASES });
  const more = `${salvoCommand()} view ${run.run_id}`;
  terminal.stdout.write(outputsText({ ...found, more }, terminalLook(terminal)));
}

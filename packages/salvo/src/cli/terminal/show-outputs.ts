import { outputGroups, outputRows } from '../../app/results/outputs-of-run.ts';
import type { ReportableRun } from '../../app/results/report-run.ts';
import { outputsText, type ShownCase } from '../../report/run/terminal/outputs-report.ts';
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
  const cases: ShownCase[] = [];
  let left = 0;
  for (const group of outputGroups(run)) {
    const most = Math.max(0, MOST_CASES - cases.length);
    const rows = await outputRows(store, run, { ...group, cases: group.cases.slice(0, most) });
    cases.push(...rows.map((row) => ({ ...row, scenario: group.name })));
    left += group.cases.length - rows.length;
  }
  const more = `${salvoCommand()} view ${run.run_id}`;
  terminal.stdout.write(outputsText({ cases, left, more }, terminalLook(terminal)));
}

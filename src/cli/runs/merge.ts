import { reportRun } from '../../app/results/report-run.ts';
import { mergeParts } from '../../app/runs/merge-parts.ts';
import type { MergeCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable } from '../terminal/write-file.ts';
import { writeAnnotations, writeReports, writeStepSummary } from '../terminal/write-reports.ts';

/** `salvo merge`: reports like `salvo run`, and exits with the code of the whole run. */
export async function mergeCommand(options: MergeCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  await checkWritable([options.junit, options.markdown, options.csv], terminal);
  await using merged = await mergeParts({ ...options, cwd, env });
  const { report, stream } = await reportRun(merged);
  const shown = { ...report, full: options.full };
  await writeReports({ report: shown, stream, targets: options, terminal });
  await writeStepSummary(shown, terminal);
  writeAnnotations(shown, merged.project.root, terminal);
  return report.exit_code;
}

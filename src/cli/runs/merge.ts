import { mergeParts } from '../../app/runs/merge-parts.ts';
import { storedRunReport } from '../../report/run/stored-run-report.ts';
import type { MergeCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable } from '../terminal/write-file.ts';
import { writeAnnotations, writeReports, writeStepSummary } from '../terminal/write-reports.ts';

/** `salvo merge`: reports like `salvo run`, and exits with the code of the whole run. */
export async function mergeCommand(options: MergeCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  await checkWritable([options.junit, options.markdown, options.csv], terminal);
  await using merged = await mergeParts({ ...options, cwd, env });
  const { outcome, against, run, store, project } = merged;
  const { verdict, exitCode: exit_code } = outcome;
  const { report, stream } = await storedRunReport(store, run);
  const notes = [...(report.notes ?? []), ...merged.notes];
  const shown = { ...report, full: options.full, notes, against, verdict, exit_code };
  const streamed = { ...stream, against, notes, run: { ...stream.run, verdict, exit_code } };
  await writeReports({ report: shown, stream: streamed, targets: options, terminal });
  await writeStepSummary(shown, terminal);
  await writeAnnotations(shown, project.root, terminal);
  return exit_code;
}

import { runFiles } from '../app/run.ts';
import { storedRunReport } from '../report/run/stored-run-report.ts';
import { uncalibratedWarnings } from '../report/run/uncalibrated-warnings.ts';
import { formatDiagnostics } from '../scenario/diagnostics/format-diagnostics.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { estimateRunCommand } from './estimate-run.ts';
import type { RunCommandOptions } from './program/commands.ts';
import { createRunProgress, type RunProgress } from './terminal/run-progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkTargets, writeReports, writeStepSummary } from './terminal/write-reports.ts';

/** `salvo run` */
export async function runCommand(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  if (options.estimate) return estimateRunCommand(options, terminal);
  const { stderr } = terminal;
  await checkTargets(options, terminal);
  const started = Date.now();
  let progress: RunProgress | null = null;
  await using finished = await runFiles({
    ...options,
    cwd: terminal.cwd,
    env: terminal.env,
    tags: options.tag,
    stop: terminal.stop,
    abort: terminal.abort,
    onStart: ({ run, loaded, uncalibrated }) => {
      const warnings = loaded.flatMap((scenario) => scenario.warnings);
      if (warnings.length > 0) {
        stderr.write(formatDiagnostics(warnings, { format: 'text', color: stderr.color, cwd: terminal.cwd }));
      }
      for (const line of uncalibratedWarnings(uncalibrated)) stderr.write(`${line}\n`);
      progress = createRunProgress({ run, terminal });
    },
    onEvent: (event) => progress?.onEvent(event),
  }).finally(() => progress?.finish());
  const { outcome, store } = finished;
  const run = await store.getRun(outcome.run_id);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `Run ${outcome.run_id} has disappeared from the store.`);
  const { report, stream } = await storedRunReport(store, run);
  const shown = {
    ...report,
    duration_seconds: (Date.now() - started) / 1000,
    resumed: outcome.earlierTrials,
    notes: outcome.budgetRefusal === null ? [] : [`Stopped: ${outcome.budgetRefusal}.`],
  };
  await writeReports({ report: shown, stream, targets: options, terminal });
  await writeStepSummary(shown, terminal);
  return outcome.exit_code;
}

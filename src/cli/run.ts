import { type RunFilesEvent, runFiles } from '../app/run.ts';
import { uncalibratedWarnings } from '../report/judge/judge-summaries.ts';
import { storedRunReport } from '../report/run/stored-run-report.ts';
import { formatDiagnostics } from '../scenario/diagnostics/format-diagnostics.ts';
import type { RunCommandOptions } from './program/command-options.ts';
import { printEstimate } from './terminal/print-result.ts';
import { createRunProgress, type RunProgress } from './terminal/run-progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkTargets, writeReports, writeStepSummary } from './terminal/write-reports.ts';

/** `salvo run` */
export async function runCommand(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const request = { ...options, tags: options.tag, cwd, env };
  if (options.estimate) {
    const { estimateRunFiles } = await import('../app/estimate.ts');
    return await printEstimate(await estimateRunFiles(request), options, terminal);
  }
  await checkTargets(options, terminal);
  const started = Date.now();
  const display = createDisplay(terminal);
  await using finished = await runFiles({ ...request, stop, abort, onEvent: display.onEvent }).finally(display.finish);
  const { outcome, store, run } = finished;
  const { report, stream } = await storedRunReport(store, run);
  const shown = {
    ...report,
    duration_seconds: (Date.now() - started) / 1000,
    resumed: outcome.earlierTrials,
    notes: outcome.budgetRefusal === null ? [] : [`Stopped: ${outcome.budgetRefusal}.`],
  };
  await writeReports({ report: shown, stream, targets: options, terminal });
  await writeStepSummary(shown, terminal);
  return outcome.exitCode;
}

/** Shows the warnings of a run once it is prepared, and then its progress. */
function createDisplay(terminal: Terminal): { onEvent(event: RunFilesEvent): void; finish(): void } {
  const { stderr, cwd } = terminal;
  let progress: RunProgress | null = null;
  return {
    onEvent(event) {
      if (event.type !== 'run_prepared') {
        progress?.onEvent(event);
        return;
      }
      const { run, warnings, uncalibrated } = event;
      if (warnings.length > 0) stderr.write(formatDiagnostics(warnings, { format: 'text', color: stderr.color, cwd }));
      for (const line of uncalibratedWarnings(uncalibrated)) stderr.write(`${line}\n`);
      progress = createRunProgress({ run, terminal });
    },
    finish: () => progress?.finish(),
  };
}

import { type ReportableRun, reportRun } from '../../app/results/report-run.ts';
import { type FinishedRun, performRun } from '../../app/runs/run.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { RunCommandOptions } from '../program/command-options.ts';
import { databasePatience } from '../terminal/database-patience.ts';
import { printEstimate } from '../terminal/print-result.ts';
import { salvoCommand } from '../terminal/process-terminal.ts';
import { createRunProgress } from '../terminal/run-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  checkTargets,
  type ReportTargets,
  writeAnnotations,
  writeReports,
  writeStepSummary,
} from '../terminal/write-reports.ts';
import type { OnFinished } from '../watch/watch.ts';

/** `salvo run` */
export async function runCommand(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  if (options.watch) return (await import('../watch/watch.ts')).watchCommand(options, terminal, runOnce);
  const run = () => runOnce(options, terminal);
  return options.detach ? (await import('../terminal/detach.ts')).detached(run, options, terminal) : run();
}

async function runOnce(options: RunCommandOptions, terminal: Terminal, onFinished?: OnFinished): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  if (options.mixed && options.resume === undefined) {
    throw new SalvoError('OPTIONS_INVALID', '--mixed is about a run that goes on: give --resume RUN, or leave it out.');
  }
  if (options.shard !== undefined || options.out !== undefined) {
    const { shardCommand } = await import('./shard.ts');
    return await shardCommand(options, terminal);
  }
  const { labels, localWorkers: local, detach } = options;
  const workers = { labels, local, detach, command: salvoCommand(), leave: terminal.leave };
  const request = {
    ...options,
    shard: undefined,
    tags: options.tag,
    cwd,
    env,
    workers,
    patience: databasePatience(options, terminal),
  };
  if (options.estimate) {
    const { estimateRun } = await import('../../app/runs/estimate.ts');
    return await printEstimate(await estimateRun(request), options, terminal);
  }
  await checkTargets(options, terminal);
  const started = Date.now();
  const isResumed = options.resume !== undefined;
  const { onEvent, finish } = createRunProgress(terminal, { quiet: options.quiet, resumed: isResumed });
  await using finished = await performRun({ ...request, stop, abort, onEvent }).finally(finish);
  if ((options.showOutputs || options.look) && !options.json && !namesStandardOutput(options)) {
    const { showOutputs } = await import('../terminal/show-outputs.ts');
    await showOutputs(finished, terminal);
  }
  const exitCode = await writeRun(finished, { targets: options, started, isResumed }, terminal);
  await onFinished?.(finished.run, finished.project);
  return exitCode;
}

function namesStandardOutput({ junit, markdown, csv }: ReportTargets): boolean {
  return [junit, markdown, csv].includes('-');
}

/**
 * Writes a run that has ended in every form that was asked for. Returns its exit code. Without `started`, its duration is
 * the stored one.
 */
export async function writeRun(
  finished: ReportableRun & Pick<FinishedRun, 'project'>,
  { targets, started, isResumed }: { targets: ReportTargets; started: number | null; isResumed: boolean },
  terminal: Terminal,
): Promise<number> {
  const { run, project } = finished;
  const { report, stream } = await reportRun(finished);
  const shown = {
    ...report,
    full: targets.full,
    isLatest: !isResumed && run.status === 'finished',
    duration_seconds: started === null ? report.duration_seconds : (Date.now() - started) / 1000,
  };
  await writeReports({ report: shown, stream, targets, terminal });
  await writeStepSummary(shown, terminal);
  await writeAnnotations(shown, project.root, terminal);
  return report.exit_code;
}

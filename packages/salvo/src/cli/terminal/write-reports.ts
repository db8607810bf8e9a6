import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunReport, RunStream } from '../../report/run/run-report.ts';
import { runMarkdown, runText } from '../../report/run/run-text.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { readLimitedSync } from '../../text/read-limited.ts';
import { terminalLook } from './print-result.ts';
import type { Terminal } from './terminal.ts';

export interface ReportTargets {
  json: boolean;
  /** Reports for people have all statistics. */
  full: boolean;
  junit?: string | undefined;
  markdown?: string | undefined;
  csv?: string | undefined;
}

/**
 * Writes a run to the files asked for, and to standard output as JSON, in the form whose file is `-`, or as a report for
 * people. Only the formats that were asked for are loaded.
 */
export async function writeReports(options: {
  report: RunReport;
  stream: RunStream;
  targets: ReportTargets;
  terminal: Terminal;
}): Promise<void> {
  const { report, stream, targets, terminal } = options;
  const { stdout } = terminal;
  if (targets.json) {
    const { writeRunJson } = await import('../../report/run/formats/json-report.ts');
    await writeRunJson({ ...stream, write: (text) => stdout.write(text) });
  } else if (!filesOf(targets).includes('-')) {
    stdout.write(await runText(report, terminalLook(terminal)));
  }
  if (filesOf(targets).length === 0) return;
  const { writeWholeFile } = await import('./write-file.ts');
  await writeWholeFile(targets.junit, terminal, async (write) =>
    (await import('../../report/run/formats/junit.ts')).writeJunit({ ...stream, write }),
  );
  await writeWholeFile(targets.csv, terminal, async (write) =>
    (await import('../../report/run/formats/csv.ts')).writeCsv({ ...stream, write }),
  );
  await writeWholeFile(targets.markdown, terminal, async (write) => write(await runMarkdown(report)));
}

/** Throws if a file that was asked for cannot be written. Called before anything is paid for. */
export async function checkTargets(targets: ReportTargets, terminal: Terminal): Promise<void> {
  const files = filesOf(targets);
  if (files.length === 0) return;
  const { checkWritable, STANDARD_OUTPUT } = await import('./write-file.ts');
  await checkWritable([...files, targets.json ? STANDARD_OUTPUT : undefined], terminal);
}

function filesOf({ junit, markdown, csv }: ReportTargets): string[] {
  return [junit, markdown, csv].filter((file) => file !== undefined);
}

/** GitHub shows this file on the page of the workflow run. It is appended to, because other steps write to it, too. */
export async function writeStepSummary(report: RunReport, terminal: Terminal): Promise<void> {
  const file = terminal.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  try {
    await appendFile(file, await runMarkdown(report));
  } catch (error) {
    terminal.stderr.write(`Warning: could not write $GITHUB_STEP_SUMMARY: ${safeLine(String(error))}\n`);
  }
}

/** On standard error, which GitHub reads as well: standard output may be a JSON document. */
export async function writeAnnotations(report: RunReport, root: string, { env, cwd, stderr }: Terminal): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return;
  const { githubAnnotations } = await import('../../report/run/formats/annotations.ts');
  const { scenarioLine } = await import('../../report/run/words/scenario-line.ts');
  // GitHub shows them beside the code only if their paths start at the root of the repository.
  const placeOf = ({ file, name }: Pick<ScenarioSummary, 'file' | 'name'>) => ({
    file: displayPath(resolve(root, file), env.GITHUB_WORKSPACE ?? cwd),
    line: scenarioLine(sourceOf(resolve(root, file)), name),
  });
  stderr.write(githubAnnotations(report, placeOf), { commands: true });
}

const LARGEST_SOURCE = 1024 * 1024;

/** Empty if it cannot be read: the file may have changed since the run. */
function sourceOf(file: string): string {
  try {
    return readLimitedSync(file, LARGEST_SOURCE)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

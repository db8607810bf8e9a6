import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { githubAnnotations } from '../../report/run/formats/annotations.ts';
import { writeCsv } from '../../report/run/formats/csv.ts';
import { writeRunJson } from '../../report/run/formats/json-report.ts';
import { writeJunit } from '../../report/run/formats/junit.ts';
import { runMarkdown, runText } from '../../report/run/formats/whole-report.ts';
import type { RunReport, RunStream } from '../../report/run/run-report.ts';
import { scenarioLine } from '../../report/run/words/scenario-line.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { readLimitedSync } from '../../text/read-limited.ts';
import { terminalLook } from './print-result.ts';
import type { Terminal } from './terminal.ts';
import { writeWholeFile } from './write-file.ts';

export interface ReportTargets {
  json: boolean;
  /** Reports for people have all statistics. */
  full: boolean;
  junit?: string | undefined;
  markdown?: string | undefined;
  csv?: string | undefined;
}

/** Writes a run to the files asked for, and to standard output as JSON or as a report for people. */
export async function writeReports(options: {
  report: RunReport;
  stream: RunStream;
  targets: ReportTargets;
  terminal: Terminal;
}): Promise<void> {
  const { report, stream, targets, terminal } = options;
  const { stdout } = terminal;
  if (targets.json) {
    await writeRunJson({ ...stream, write: (text) => stdout.write(text) });
  } else {
    stdout.write(await runText(report, terminalLook(terminal)));
  }
  await writeWholeFile(targets.junit, terminal, (write) => writeJunit({ ...stream, write }));
  await writeWholeFile(targets.csv, terminal, (write) => writeCsv({ ...stream, write }));
  await writeWholeFile(targets.markdown, terminal, async (write) => write(await runMarkdown(report)));
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
export function writeAnnotations(report: RunReport, root: string, { env, cwd, stderr }: Terminal): void {
  if (env.GITHUB_ACTIONS !== 'true') return;
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

import { readFile, stat } from 'node:fs/promises';
import { missingResource, type ProgramResult, runProgram } from 'salvo/kit/adapters';
import { type ErrorCode, errorCode, quoteOutput } from 'salvo/kit/text';
import { JudgeError } from '../../match/claims/judge-error.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import { type ReadReport, readReport } from '../../match/read-findings.ts';
import { abortedError, BlueTeamError } from '../blue-team-error.ts';

/** One call of a scanner. */
export interface ScannerRun {
  /** For messages, and as the source of findings. */
  name: string;
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  format: FindingsFormat;
  /** The file that it writes its report to; null for stdout. */
  reportFile: string | null;
  timeoutSeconds: number;
  /** What to do when it cannot be started. */
  advice: string;
  signal?: AbortSignal | undefined;
}

/** The largest reports of real scanners are a few megabytes. */
const MOST_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Runs a scanner and reads its report. Rejects with a `BlueTeamError` when there is no reliable report. */
export async function runScanner(run: ScannerRun): Promise<ReadReport> {
  if (run.signal?.aborted) throw abortedError(run.name, run.signal);
  const timeout = AbortSignal.timeout(Math.ceil(run.timeoutSeconds * 1000));
  const result = await start(run, run.signal ? AbortSignal.any([run.signal, timeout]) : timeout);
  if (run.signal?.aborted) throw abortedError(run.name, run.signal);
  if (timeout.aborted) {
    throw failed(
      run,
      'SCANNER_TIMEOUT',
      `did not end within ${run.timeoutSeconds} s. Raise the timeout if it needs longer.`,
    );
  }
  if (result.outputTooLarge) throw tooLarge(run);
  const text = run.reportFile === null ? result.stdout : await reportText(run, result);
  if (result.endedBy !== null || text.trim() === '') throw withoutReport(run, result);
  const report = reportIn(text, run, result);
  // A scanner may signal findings by its exit code. Without findings, an exit code other than 0 is a failure.
  const isEmpty = report.findings.length === 0 && report.notJudged.length === 0;
  if (isEmpty && result.exitCode !== 0) throw withoutReport(run, result);
  return report;
}

async function start(run: ScannerRun, signal: AbortSignal): Promise<ProgramResult> {
  const { file, args, cwd, env } = run;
  try {
    return await runProgram({ file, args, cwd, env, input: '', maxOutputBytes: MOST_OUTPUT_BYTES, signal });
  } catch (cause) {
    const code = errorCode(cause);
    const program = quoteOutput(file, { length: 200 });
    const missing = missingResource(cause);
    if (missing !== undefined) {
      throw failed(run, 'SCANNER_FAILED', `cannot run: ${program} could not be started: ${missing}.`, cause);
    }
    const what =
      code === 'ENOENT'
        ? `cannot run: there is no program ${program}`
        : `cannot run: ${program} could not be started (${quoteOutput(String(code ?? cause), { length: 200 })})`;
    throw failed(run, 'SCANNER_MISSING', `${what}. ${run.advice}`, cause);
  }
}

async function reportText(run: ScannerRun, result: ProgramResult): Promise<string> {
  const path = run.reportFile ?? '';
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) throw withoutReport(run, result);
  if (stats.size > MOST_OUTPUT_BYTES) throw tooLarge(run);
  return readFile(path, 'utf8');
}

function reportIn(text: string, run: ScannerRun, result: ProgramResult): ReadReport {
  try {
    return readReport(text, { name: 'its report', format: run.format });
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    const how = result.exitCode === 0 ? '' : `ended with exit code ${result.exitCode}, and `;
    throw failed(
      run,
      'SCANNER_OUTPUT_INVALID',
      `${how}wrote a report that cannot be read: ${cause.message}${stderrText(result)}`,
      cause,
    );
  }
}

function withoutReport(run: ScannerRun, result: ProgramResult): BlueTeamError {
  const how = result.endedBy ? `was ended by ${result.endedBy}` : `ended with exit code ${result.exitCode}`;
  return failed(run, 'SCANNER_FAILED', `${how} and reported nothing.${stderrText(result)}`);
}

function tooLarge(run: ScannerRun): BlueTeamError {
  const most = MOST_OUTPUT_BYTES / 1024 / 1024;
  return failed(run, 'SCANNER_OUTPUT_INVALID', `wrote more than ${most} MB, which is too much for a report.`);
}

function stderrText({ stderrTail }: ProgramResult): string {
  const words = quoteOutput(stderrTail, { keep: 'end', length: 2000 });
  return words === '' ? ' It wrote nothing to stderr.' : ` The end of its stderr:\n${words}`;
}

function failed(run: ScannerRun, code: ErrorCode, what: string, cause?: unknown): BlueTeamError {
  return new BlueTeamError(code, `${run.name} ${what}`, { cause });
}

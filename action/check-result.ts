/** What a step knows when Salvo has ended. */
export interface CommandResult {
  command: string;
  /** Null if it was killed. */
  exitCode: number | null;
  /** What `--json` printed. */
  stdout: string;
}

export interface CheckedResult {
  exitCode: number;
  verdict: string;
  runId: string;
  /** Why the results are missing or cannot be true; null if they are there. */
  problem: string | null;
}

const COULD_NOT_BE_SCORED = 3;

/** Success needs a document that proves it: without results, or with zero trials, the exit code is never 0. */
export function checkResult({ command, exitCode, stdout }: CommandResult): CheckedResult {
  const document = parse(stdout);
  const head = { verdict: textField(document, 'verdict', /^[A-Z_]+$/), runId: textField(document, 'run_id', /^\w+$/) };
  if (exitCode === null) return { ...head, exitCode: COULD_NOT_BE_SCORED, problem: 'Salvo was killed.' };
  const problem = document === null ? 'Salvo printed no result.' : problemOf(command, document, exitCode);
  if (problem === null) return { ...head, exitCode, problem };
  return { ...head, exitCode: exitCode === 0 ? COULD_NOT_BE_SCORED : exitCode, problem };
}

function problemOf(command: string, document: Record<string, unknown>, exitCode: number): string | null {
  if (command === 'run' || command === 'merge') return problemOfRun(document, exitCode);
  if (exitCode !== 0) return null;
  if (command === 'scan') return Array.isArray(document.findings) ? null : 'The result of the scan has no findings.';
  if (command === 'game') return document.status === 'scored' ? null : 'The game was not scored.';
  return typeof document.red === 'string' ? null : 'The result has no scores.';
}

function problemOfRun(document: Record<string, unknown>, exitCode: number): string | null {
  const { scenarios } = document;
  if (!Array.isArray(scenarios) || document.exit_code !== exitCode) return 'The result is not that of this run.';
  const trials = scenarios.reduce<number>((sum, each) => sum + numberField(each, 'trials_total'), 0);
  return trials > 0 ? null : 'No trial was run.';
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function textField(document: Record<string, unknown> | null, name: string, form: RegExp): string {
  const value = document?.[name];
  return typeof value === 'string' && value.length <= 100 && form.test(value) ? value : '';
}

function numberField(value: unknown, name: string): number {
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { readFileSync } from 'node:fs';
import { maskSecrets, maskSourceLine } from '../../secrets/mask-secrets.ts';
import type { Place } from '../../text/errors/error-place.ts';
import { type Span, sourceText } from '../../text/source-text.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostic.ts';
import { type LocatedValue, locate, type Path, valueAt } from './located-value.ts';

/** A problem with a value, given by the value's path. `locateProblem` adds the position in the file. */
export interface Problem {
  /** Default: error. */
  severity?: Diagnostic['severity'];
  code: DiagnosticCode;
  message: string;
  hint?: string | undefined;
  path: Path;
  /** Whether the key or (default) its value is wrong. */
  at?: 'key' | 'value';
  /** The position inside the string at `path`, when it is known. */
  offset?: number | undefined;
  /** For an unknown key: the key that was most likely meant. */
  meant?: string | undefined;
  /** For a missing key: the map is at `path`, and any one of these keys is enough. */
  missing?: string[] | undefined;
  /** The value may be a credential, so the source line is masked. */
  secret?: boolean;
}

/** A problem without its place. */
export type ProblemText = Pick<Problem, 'code' | 'message' | 'hint'>;

export type Report = (problem: Problem) => void;

const MAX_SOURCE_LINE = 10_000;

/** The diagnostic for a problem; null when the value could not be read, which has been reported already. */
export function locateProblem(root: LocatedValue, problem: Problem): Diagnostic | null {
  const { span, broken } = locate(root, problem.path, problem.at ?? 'value');
  if (broken) return null;
  return diagnosticAt(problem.offset === undefined ? span : spanInText(root, span, problem), problem);
}

export function diagnosticAt(
  span: Span,
  { severity = 'error', code, message, hint, secret = false }: Omit<Problem, 'path' | 'at' | 'offset'>,
): Diagnostic {
  const { line, column } = span.source.place(span.start);
  const source = span.source.line(line);
  const length = Math.max(0, Math.min(span.end - span.start, source.length - column + 1));
  return {
    severity,
    code,
    message: maskSecrets(message),
    file: span.source.file,
    line,
    column,
    ...(length > 0 ? { end_column: column + length } : {}),
    ...(source.length <= MAX_SOURCE_LINE
      ? { source_line: secret ? maskFrom(maskSourceLine(source), column) : maskSourceLine(source) }
      : {}),
    ...(hint === undefined ? {} : { hint: maskSecrets(hint) }),
  };
}

/** A problem at a place that is known by its line and column only. */
export function diagnosticInFile({ file, line, column }: Place, problem: ProblemText): Diagnostic {
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  const before = source.text.split('\n', line - 1).join('\n').length;
  const start = before + (line > 1 ? 1 : 0) + column - 1;
  return diagnosticAt({ source, start, end: start + 1 }, problem);
}

function maskFrom(line: string, column: number): string {
  return line.slice(0, column - 1) + '*'.repeat(line.length - column + 1);
}

/** Points into a string. Works when the file has it verbatim, or as a literal block: not folded and without escapes. */
function spanInText(root: LocatedValue, span: Span, problem: Problem): Span {
  const text = valueAt(root.value, problem.path);
  if (typeof text !== 'string' || problem.offset === undefined) return span;
  const start = [span.start, span.start + 1].find((offset) => span.source.text.startsWith(text, offset));
  const offset = Math.min(problem.offset, Math.max(0, text.length - 1));
  const at = start === undefined ? offsetInBlock(text, span, offset) : start + offset;
  if (at === null) return span;
  return { source: span.source, start: at, end: at + 1 };
}

/** The position in the file of a position in a block such as `code: |`, whose lines are indented; null if it is none. */
function offsetInBlock(text: string, { source, start }: Span, offset: number): number | null {
  if (source.text.charAt(start) !== '|') return null;
  const before = text.slice(0, offset).split('\n');
  let lineStart = start;
  for (const _ of before) lineStart = source.text.indexOf('\n', lineStart) + 1;
  const [written = ''] = source.text.slice(lineStart, lineStart + MAX_SOURCE_LINE).split('\n', 1);
  const line = text.split('\n')[before.length - 1] ?? '';
  if (lineStart === 0 || !written.trimEnd().endsWith(line.trimEnd())) return null;
  return lineStart + written.trimEnd().length - line.trimEnd().length + (before.at(-1) ?? '').length;
}

/** Runs, reports and commands tell the scenarios of a file apart by their names: the second with a name is refused. */
export function refuseSameNames<T extends { scenario: { name: string } | null; diagnostics: readonly Diagnostic[] }>(
  inspected: readonly T[],
  spanOf: (name: string) => Span | undefined,
  hint?: string,
): T[] {
  const names = new Set<string>();
  return inspected.map((each) => {
    const name = each.scenario?.name;
    const span = name !== undefined && names.has(name) ? spanOf(name) : undefined;
    if (name !== undefined) names.add(name);
    if (!span) return each;
    const message = `there are two scenarios named "${name}" in this file`;
    const problem = diagnosticAt(span, { code: 'duplicate-name', message, hint });
    return { ...each, scenario: null, diagnostics: [...each.diagnostics, problem] };
  });
}

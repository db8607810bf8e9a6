import { maskSecrets, maskSourceLine } from '../../secrets/mask-secrets.ts';
import type { Span } from '../../text/source-text.ts';
import { type LocatedValue, locate, type Path } from '../yaml/located-value.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';

/** Something wrong with a value, by its path; where that is in which file comes later. */
export interface Problem {
  /** An error when it is missing. */
  severity?: Diagnostic['severity'];
  code: DiagnosticCode;
  message: string;
  hint?: string | undefined;
  path: Path;
  /** What is wrong: the key or (by default) its value. */
  at?: 'key' | 'value';
  /** Where inside the text at `path` it is, when that is known. */
  offset?: number | undefined;
  /** Of an unknown key: the one it was most likely meant to be. */
  meant?: string | undefined;
  /** Of a missing key: the map is at `path`, and any of these would do. */
  missing?: string[] | undefined;
  /** The value may be a credential: it is not shown. */
  secret?: boolean;
}

export type Report = (problem: Problem) => void;

const MAX_SOURCE_LINE = 10_000;

/** The diagnostic for a problem; null when it follows from something that could not be read in the first place. */
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
      ? { source_line: secret ? starred(maskSourceLine(source), column) : maskSourceLine(source) }
      : {}),
    ...(hint === undefined ? {} : { hint: maskSecrets(hint) }),
  };
}

function starred(line: string, column: number): string {
  return line.slice(0, column - 1) + '*'.repeat(line.length - column + 1);
}

/** Points into a text, which works when the file has it letter by letter: not folded and without escapes. */
function spanInText(root: LocatedValue, span: Span, problem: Problem): Span {
  const text = valueAt(root.value, problem.path);
  if (typeof text !== 'string' || problem.offset === undefined) return span;
  const start = [span.start, span.start + 1].find((offset) => span.source.text.startsWith(text, offset));
  if (start === undefined) return span;
  const at = start + Math.min(problem.offset, Math.max(0, text.length - 1));
  return { source: span.source, start: at, end: at + 1 };
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      at !== null && typeof at === 'object' && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );
}

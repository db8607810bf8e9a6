import { SalvoError } from '../../text/salvo-error.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import { formatDiagnostics } from './format-diagnostics.ts';

/** One problem of a file, at a place a person can go to. Line and columns start at 1. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  code: DiagnosticCode;
  message: string;
  /** Absolute. */
  file: string;
  line: number;
  column: number;
  /** The column after the last one that is meant, when it is on the same line. */
  end_column?: number | undefined;
  source_line?: string | undefined;
  hint?: string | undefined;
}

/** A file has errors: all of them at once. */
export class DiagnosticsError extends SalvoError {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? diagnostics[0];
    super('INVALID_FILE', formatDiagnostics(diagnostics, { format: 'text', color: false }).trimEnd(), {
      ...(first ? { location: { file: first.file, line: first.line, column: first.column } } : {}),
    });
    this.diagnostics = diagnostics;
  }
}

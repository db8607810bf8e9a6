import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Diagnostic } from './diagnostic.ts';
import { formatDiagnostics } from './format-diagnostics.ts';

/** A file has errors: all of them at once. */
export class DiagnosticsError extends SalvoError {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? diagnostics[0];
    super('FILE_INVALID', formatDiagnostics(diagnostics, { format: 'text', color: false }).trimEnd(), {
      ...(first ? { location: { file: first.file, line: first.line, column: first.column } } : {}),
    });
    this.diagnostics = diagnostics;
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

import type { Diagnostic } from './diagnostic.ts';

/** From top to bottom, with the file itself before the ones it includes. */
export function inReadingOrder(diagnostics: Diagnostic[], file: string): Diagnostic[] {
  const rank = (diagnostic: Diagnostic) => (diagnostic.file === file ? '' : diagnostic.file);
  return diagnostics.toSorted((a, b) => rank(a).localeCompare(rank(b)) || a.line - b.line || a.column - b.column);
}

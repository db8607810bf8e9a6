import type { Diagnostic } from './diagnostic.ts';

/** Whoever has more has given the wrong file, and would not read on. */
const MOST_SHOWN = 1000;

/** From top to bottom, with the file itself before the ones it includes; the last one counts what is left out. */
export function inReadingOrder(diagnostics: Diagnostic[], file: string): Diagnostic[] {
  const rank = (diagnostic: Diagnostic) => (diagnostic.file === file ? '' : diagnostic.file);
  const ordered = diagnostics.toSorted(
    (a, b) => rank(a).localeCompare(rank(b)) || a.line - b.line || a.column - b.column,
  );
  const [first, ...others] = ordered.slice(MOST_SHOWN);
  if (!first || others.length === 0) return ordered;
  const rest = [first, ...others];
  return [
    ...ordered.slice(0, MOST_SHOWN),
    {
      severity: rest.some(({ severity }) => severity === 'error') ? 'error' : 'warning',
      code: 'more-problems',
      message: `${rest.length} more problems from here on are not shown`,
      file: first.file,
      line: first.line,
      column: first.column,
    },
  ];
}

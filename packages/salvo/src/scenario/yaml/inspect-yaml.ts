import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/diagnostics-error.ts';
import { withoutFollowUps } from '../diagnostics/follow-up-problems.ts';
import { locate, type Path } from '../diagnostics/located-value.ts';
import { diagnosticAt, locateProblem, type Problem } from '../diagnostics/problem.ts';
import { type LoadedYaml, loadYaml } from './load-yaml.ts';

interface YamlCheck<T> {
  file: string;
  /** An empty file is an error with this hint; without a hint, `check` gets null. */
  emptyHint?: string;
  /**
   * Gets the value of the file, with aliases and includes resolved, and which file the value at a path is written in:
   * this one, or one that it includes.
   */
  check: (value: unknown, fileAt: (path: Path) => string) => CheckedYaml<T>;
}

interface CheckedYaml<T> {
  data: T | null;
  problems: Problem[];
  /** Problems of other files that the value names. */
  diagnostics?: Diagnostic[];
}

export interface InspectedYaml<T> {
  /** As `check` returned it; null when the file could not be read. */
  data: T | null;
  diagnostics: Diagnostic[];
}

/**
 * Reads a YAML file with its includes, which must be inside `projectRoot`, checks its value, and lists all problems with
 * their positions.
 */
export function inspectYaml<T>({ projectRoot, ...check }: YamlCheck<T> & { projectRoot: string }): InspectedYaml<T> {
  const file = resolve(check.file);
  return checkYaml(loadYaml({ file, projectRoot }), { ...check, file });
}

/** The second half of `inspectYaml`, for a file that has been read. */
export function checkYaml<T>(
  { root, diagnostics }: LoadedYaml,
  { file, emptyHint, check }: YamlCheck<T>,
): InspectedYaml<T> {
  if (!root || root.broken) return { data: null, diagnostics: sortDiagnostics(diagnostics, file) };
  if (root.value === null && emptyHint !== undefined) {
    const empty = { code: 'empty-file', message: 'the file is empty', hint: emptyHint } as const;
    return { data: null, diagnostics: [...diagnostics, diagnosticAt(root.span, empty)] };
  }
  const checked = check(root.value, (path) => locate(root, path, 'value').span.source.file);
  const located = withoutFollowUps(checked.problems).flatMap((problem) => locateProblem(root, problem) ?? []);
  const all = [...diagnostics, ...located, ...(checked.diagnostics ?? [])];
  return { data: checked.data, diagnostics: sortDiagnostics(all, file) };
}

/** More than this means that the wrong file was given; a longer list helps no one. */
const MOST_LISTED = 1000;

/** From top to bottom, the file itself before the files it includes. The last diagnostic counts those left out. */
function sortDiagnostics(diagnostics: Diagnostic[], file: string): Diagnostic[] {
  const rank = (diagnostic: Diagnostic) => (diagnostic.file === file ? '' : diagnostic.file);
  const sorted = diagnostics.toSorted(
    (a, b) => rank(a).localeCompare(rank(b)) || a.line - b.line || a.column - b.column,
  );
  const rest = sorted.slice(MOST_LISTED);
  const [first, second] = rest;
  if (!first || !second) return sorted;
  const severity = hasErrors(rest) ? 'error' : 'warning';
  const message = `${rest.length} more problems from here on are not listed`;
  const { line, column } = first;
  return [
    ...sorted.slice(0, MOST_LISTED),
    { severity, code: 'more-problems', message, file: first.file, line, column },
  ];
}

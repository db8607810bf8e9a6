import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type LocatedValue, locate, valueAt } from '../diagnostics/located-value.ts';
import { diagnosticAt } from '../diagnostics/problem.ts';

interface Named {
  scenario: { name: string } | null;
  diagnostics: Diagnostic[];
}

/** Runs, reports and commands tell the scenarios of a file apart by their names. */
export function withUniqueNames<Each extends Named>(
  inspected: readonly Each[],
  roots: readonly LocatedValue[],
): Each[] {
  const names = new Set<string>();
  return inspected.map((each) => {
    const name = each.scenario?.name;
    if (name === undefined || !names.has(name)) {
      if (name !== undefined) names.add(name);
      return each;
    }
    const root = roots.findLast(({ value }) => valueAt(value, ['name']) === name) ?? roots.at(-1);
    if (!root) return each;
    const message = `there are two scenarios named "${name}" in this file`;
    const hint = 'give each a `name` of its own';
    const problem = diagnosticAt(locate(root, ['name'], 'value').span, { code: 'duplicate-name', message, hint });
    return { ...each, scenario: null, diagnostics: [...each.diagnostics, problem] };
  });
}

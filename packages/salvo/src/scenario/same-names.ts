import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { diagnosticAt } from './diagnostics/problem.ts';
import { fieldPlace } from './field-place.ts';
import { relativeFile } from './load-scenario.ts';
import { type Project, readRoot } from './schema/project-schema.ts';

/** A scenario is called by its name in commands, reports and baselines, so two with one name are an error. */
export function sameNames(scenarios: readonly { file: string; name: string }[], project: Project): Diagnostic[] {
  const files = Map.groupBy(scenarios, ({ name }) => name);
  return [...files].flatMap(([name, all]) => {
    const [first, ...others] = [...new Set(all.map(({ file }) => file))];
    if (first === undefined || others.length === 0) return [];
    const root = readRoot(project);
    const span = fieldPlace(first, ['name'], { root, name });
    const { line, column } = span.source.place(span.start);
    const place = `${relativeFile(project.root, first)}:${line}:${column}`;
    return others.map((file) =>
      diagnosticAt(fieldPlace(file, ['name'], { root, name }), {
        code: 'duplicate-name',
        message: `there are two scenarios named "${name}": this one, and the one at ${place}`,
        hint: 'give each a `name` of its own; without one, it is called like its file',
      }),
    );
  });
}

import { DiagnosticsError } from '../../scenario/diagnostics/diagnostics-error.ts';
import { diagnosticAt } from '../../scenario/diagnostics/problem.ts';
import { fieldPlace } from '../../scenario/field-place.ts';
import { type Project, readRoot } from '../../scenario/schema/project-schema.ts';
import { formatPlural } from '../../stats/format.ts';
import type { ChosenEntry } from './choose-entries.ts';

/** `only` is for work on one scenario. In CI it was left in a file by mistake, and the others would not be tested. */
export function refuseOnlyInCi(
  chosen: readonly Pick<ChosenEntry, 'loaded'>[],
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): void {
  if (['', '0', 'false'].includes(env.CI ?? '')) return;
  const files = new Set(chosen.flatMap(({ loaded }) => (loaded.scenario.only ? [loaded.file] : [])));
  if (files.size === 0) return;
  const problem = {
    code: 'only-in-ci',
    message: '`only: true` leaves all other scenarios out, which is refused in CI (the variable CI is set)',
    hint: 'remove it; --grep and --tag choose scenarios without a change of files',
  } as const;
  throw new DiagnosticsError(
    [...files].map((file) => diagnosticAt(fieldPlace(file, 'only', { root: readRoot(project) }), problem)),
  );
}

/** The report must say that others were left out, if any were. */
export function onlyNote(chosen: readonly Pick<ChosenEntry, 'loaded'>[], leftOut: number): string[] {
  if (leftOut === 0 || !chosen.some(({ loaded }) => loaded.scenario.only)) return [];
  return [`Only scenarios with \`only: true\` were run: ${formatPlural(leftOut, 'other')} left out.`];
}

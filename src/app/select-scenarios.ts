import { DiagnosticsError } from '../scenario/diagnostics/diagnostics-error.ts';
import { findScenarioFiles, matchesTags } from '../scenario/find-scenario-files.ts';
import { type LoadedScenario, loadScenario } from '../scenario/load-scenario.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';

/** The scenarios that files and tags name. All files are loaded first, so that all their problems are thrown at once. */
export async function selectScenarios(selection: {
  project: Project;
  /** Patterns are relative to this folder. */
  cwd: string;
  files?: string[] | undefined;
  tags?: string[] | undefined;
}): Promise<LoadedScenario[]> {
  const { project, cwd, files = [], tags = [] } = selection;
  const loaded = await loadAll(await findScenarioFiles({ patterns: files, project, cwd }), project);
  const chosen = loaded.filter(({ scenario }) => matchesTags(scenario.tags, tags));
  if (chosen.length === 0) {
    throw new SalvoError(
      'NO_SCENARIOS',
      `None of ${loaded.length} scenarios has the tag ${tags.join(' and ')}. Their tags: ${tagNames(loaded) || 'none'}.`,
    );
  }
  return chosen;
}

async function loadAll(files: string[], project: Project): Promise<LoadedScenario[]> {
  const attempts = await Promise.allSettled(files.map((file) => loadScenario({ file, project })));
  const problems = attempts.flatMap((attempt) => {
    if (attempt.status === 'fulfilled') return [];
    if (attempt.reason instanceof DiagnosticsError) return attempt.reason.diagnostics;
    throw attempt.reason;
  });
  if (problems.length > 0) throw new DiagnosticsError(problems);
  return attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
}

function tagNames(loaded: readonly LoadedScenario[]): string {
  const names = loaded.flatMap(({ scenario: { tags = [] } }) =>
    Array.isArray(tags) ? tags : Object.entries(tags).map(([name, value]) => `${name}=${value}`),
  );
  return [...new Set(names)].sort().slice(0, 20).join(', ');
}

import { BUILT_IN_NAMES } from '../../adapters/adapter-name.ts';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import type { AgentFiles } from '../../run/record/agent-files.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { isCodeFile } from '../../scenario/find-scenario-files.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { transformModule } from '../../scenario/schema/text-assertions.ts';
import type { ChosenEntry } from '../selection/choose-entries.ts';

export interface CodeOfRun {
  /** Hashes of the files by which trials are judged. */
  files: Record<string, string>;
  agents: AgentFiles;
}

/** The code that answers and judges in a run, as hashes. Nothing is loaded for a run without any. */
export async function codeOfRun(
  chosen: readonly ChosenEntry[],
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): Promise<CodeOfRun> {
  if (!chosen.some((entry) => namesCode(entry, project))) return { files: {}, agents: {} };
  const { assertionFiles } = await import('../code/assertion-files.ts');
  const { agentFiles } = await import('../code/agent-files.ts');
  return {
    files: assertionFiles(new Set(chosen.map(({ loaded }) => loaded)), project),
    agents: agentFiles(chosen, { project, env }),
  };
}

const READ_FILES: ReadonlySet<string> = new Set(['custom', 'findings']);

function namesCode({ loaded: { file, scenario }, adapter }: ChosenEntry, { config }: Project): boolean {
  const name = adapter ?? scenario.adapter ?? config.default_adapter;
  const isOwn = Object.hasOwn(config.adapters, name) || registeredAdapters.has(name);
  return (
    isOwn ||
    !BUILT_IN_NAMES.some((each) => each === name) ||
    isCodeFile(file) ||
    everyAssertion(scenario).some((each) => READ_FILES.has(each.type) || transformModule(each) !== undefined) ||
    scenario.tools.some((tool) => tool.module !== undefined)
  );
}

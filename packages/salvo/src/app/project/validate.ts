import { basename } from 'node:path';
import { problemsOfPackages } from '../../evaluators/assertions-door.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { hookProblems } from '../../scenario/code/load-hooks.ts';
import type { Diagnostic, DiagnosticCode } from '../../scenario/diagnostics/diagnostic.ts';
import { findScenarioFiles } from '../../scenario/find-scenario-files.ts';
import { checkProjectFile, inspectProject } from '../../scenario/load-project.ts';
import { inspectScenarios } from '../../scenario/load-scenario.ts';
import { defaultAdapterRefusals } from '../../scenario/refused-adapters.ts';
import { sameNames } from '../../scenario/same-names.ts';
import { inlineCodeOf } from '../../scenario/schema/text-assertions.ts';
import { endingModelWarnings } from './ending-models.ts';
import type { Workplace } from './open-project.ts';

/** What a plugin that cannot be loaded would have registered. Its own problem is reported. */
const FROM_PLUGINS: ReadonlySet<DiagnosticCode> = new Set(['unknown-assertion-type', 'unknown-adapter']);

export interface Validation {
  /** How many files were checked. */
  files: number;
  /** How many assertions have JavaScript, which a run executes. */
  code: number;
  /** Every problem once, also when several scenarios include the file that has it. */
  diagnostics: Diagnostic[];
}

/** Checks salvo.yaml and scenario files, and returns every problem of every file. */
export async function validateFiles(options: Pick<Workplace, 'cwd'> & { files?: string[] }): Promise<Validation> {
  const { cwd = process.cwd(), files: patterns = [] } = options;
  const { project, adapterNames, pluginsFailed, diagnostics: projectProblems } = await inspectProject(cwd);
  const found = await findScenarioFiles({ patterns, project, cwd });
  const diagnostics = [...projectProblems, ...(await hookProblems(project))];
  const names: { file: string; name: string }[] = [];
  let code = 0;
  for (const file of found) {
    if (isProjectFile(file)) {
      // A commit hook passes every changed file, salvo.yaml included. The project's own is checked already.
      if (file !== project.file) diagnostics.push(...(await checkProjectFile({ file })));
      continue;
    }
    for (const inspected of await inspectScenarios({ file, project, knownAdapters: adapterNames })) {
      diagnostics.push(...inspected.diagnostics.filter(({ code }) => !pluginsFailed || !FROM_PLUGINS.has(code)));
      if (!inspected.scenario) continue;
      names.push({ file, name: inspected.scenario.name });
      code += everyAssertion(inspected.scenario).filter((each) => inlineCodeOf(each).length > 0).length;
      if (inspected.scenario.adapter === undefined) diagnostics.push(...defaultAdapterRefusals(project));
      diagnostics.push(...endingModelWarnings({ scenario: inspected.scenario, file, project }));
      diagnostics.push(...(await problemsOfPackages({ scenario: inspected.scenario, file, project })));
    }
  }
  diagnostics.push(...sameNames(names, project));
  const unique = withoutRepeats(diagnostics);
  // Included files count only when they have problems.
  const checked = new Set([
    ...found,
    ...(project.file === null ? [] : [project.file]),
    ...unique.map(({ file }) => file),
  ]);
  return { files: checked.size, code, diagnostics: unique };
}

function isProjectFile(file: string): boolean {
  return /^salvo\.ya?ml$/.test(basename(file));
}

function withoutRepeats(diagnostics: Diagnostic[]): Diagnostic[] {
  const key = ({ file, line, column, code, message }: Diagnostic) =>
    JSON.stringify([file, line, column, code, message]);
  return [...new Map(diagnostics.map((diagnostic) => [key(diagnostic), diagnostic])).values()];
}

import { join } from 'node:path';
import type { z } from 'zod';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { checkProject } from './checks/check-project.ts';
import { checkScenario } from './checks/check-scenario.ts';
import type { Problem } from './diagnostics/problem.ts';
import { type LoadedScenario, relativeFile, scenarioChecks } from './load-scenario.ts';
import { scenarioHash } from './scenario-identity.ts';
import type { ASSERTION_SCHEMAS, BuiltInAssertionType, shorthandSchema } from './schema/assertion-schema.ts';
import type { Project, projectSchema } from './schema/project-schema.ts';
import type { scenarioFieldsSchema, writtenDataSchema } from './schema/scenario-schema.ts';

/** What salvo.yaml would say, except plugins: code can register evaluators and adapters itself. */
export type ProjectInput = Omit<z.input<typeof projectSchema>, 'plugins'>;

type BuiltInAssertionInput = {
  [T in BuiltInAssertionType]: z.input<(typeof ASSERTION_SCHEMAS)[T]>;
}[BuiltInAssertionType];

/** A built-in assertion, its shorthand, or one of a type added with `registerEvaluator`. */
export type AssertionInput =
  | BuiltInAssertionInput
  | z.input<typeof shorthandSchema>
  | { type: string; [field: string]: unknown };

/** A scenario with the fields of a scenario file, before defaults are filled in. */
export type ScenarioInput = Omit<z.input<typeof scenarioFieldsSchema>, 'assertions' | 'data'> & {
  assertions?: AssertionInput[] | undefined;
  data?: z.input<typeof writtenDataSchema>;
};

/** A project without salvo.yaml. `root` is the folder that paths are relative to. */
export function projectFromObject(value: ProjectInput, root: string): Project {
  const { data, problems } = checkProject(value, { root, registeredAdapters: new Set(registeredAdapters.keys()) });
  refuseErrors('The settings are not valid', problems);
  if (!data) throw new SalvoError('INVALID_OBJECT', 'The settings are not valid.');
  return { root, file: null, config: data };
}

/**
 * A scenario that is no file of its own, checked as a file would be. `agent` is the name of an agent that is passed in
 * as code, `file` the code that the scenario is written in.
 */
export function scenarioFromObject(
  value: ScenarioInput,
  { project, agent, file: given }: { project: Project; agent?: string | undefined; file?: string | undefined },
): LoadedScenario {
  const file = given ?? join(project.root, 'scenario');
  const knownAdapters = agent === undefined ? undefined : new Set([agent]);
  const fields = agent === undefined ? value : { ...value, adapter: agent };
  const checked = checkScenario(fields, scenarioChecks({ file, project, knownAdapters }));
  refuseErrors('The scenario is not valid', checked.problems, checked.diagnostics);
  if (!checked.data) throw new SalvoError('INVALID_OBJECT', 'The scenario is not valid.');
  const scenario = { ...checked.data, name: checked.data.name ?? 'scenario' };
  const inProject = given === undefined ? scenario.name : relativeFile(project.root, given);
  return { scenario, file, relativeFile: inProject, hash: scenarioHash(scenario), warnings: [] };
}

function refuseErrors(
  title: string,
  problems: readonly Problem[],
  rubricProblems: readonly { severity: string; file: string; message: string }[] = [],
): void {
  const lines = [
    ...problems
      .filter(({ severity = 'error' }) => severity === 'error')
      .map(({ path, message, hint }) => `${pathText(path)}${message}${hint === undefined ? '' : ` (${hint})`}`),
    ...rubricProblems.filter(({ severity }) => severity === 'error').map(({ file, message }) => `${file}: ${message}`),
  ];
  if (lines.length === 0) return;
  throw new SalvoError('INVALID_OBJECT', maskSecrets(`${title}:${lines.map((line) => `\n  ${line}`).join('')}`));
}

function pathText(path: Problem['path']): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

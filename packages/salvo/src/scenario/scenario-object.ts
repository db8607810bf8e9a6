import { join } from 'node:path';
import type { z } from 'zod';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { checkTextAssertion } from './checks/assertion/check-text-assertion.ts';
import { checkScenario } from './checks/check-cases.ts';
import { fileChecks } from './checks/check-files.ts';
import * as servers from './checks/check-mcp.ts';
import { checkProject } from './checks/check-project.ts';
import type { ScenarioDefinition } from './code/scenario-definition.ts';
import { AGENT } from './code/scenario-functions.ts';
import { splitFunctions } from './code/split-functions.ts';
import { pathText } from './diagnostics/located-value.ts';
import type { Problem } from './diagnostics/problem.ts';
import { withExpectedColumns } from './expected/expected-columns.ts';
import { checkToolFaults } from './faults/check-faults.ts';
import { type LoadedScenario, relativeFile, scenarioChecks } from './load-scenario.ts';
import { scenarioHash } from './scenario-identity.ts';
import type { Project, projectSchema } from './schema/project-schema.ts';

/** What salvo.yaml would say, except plugins: code can register evaluators and adapters itself. */
export type ProjectInput = Omit<z.input<typeof projectSchema>, 'plugins'>;

/** A project without salvo.yaml. `root` is the folder that paths are relative to. */
export function projectFromObject(value: ProjectInput, root: string): Project {
  const { data, problems } = checkProject(value, { root, registeredAdapters: new Set(registeredAdapters.keys()) });
  refuseErrors('The settings are not valid', problems);
  if (!data) throw new SalvoError('OBJECT_INVALID', 'The settings are not valid.');
  return { root, file: null, config: data };
}

/**
 * A scenario that is no file of its own, checked as a file would be. `agent` is the name of an agent that is passed in
 * as code, `file` the code that the scenario is written in.
 */
export function scenarioFromObject(
  value: ScenarioDefinition | Record<string, unknown>,
  { project, agent, file: given }: { project: Project; agent?: string | undefined; file?: string | undefined },
): LoadedScenario {
  const file = given ?? join(project.root, 'scenario');
  const { document, functions, hashes, problems } = splitFunctions(value);
  const adapter = agent ?? (functions.agent ? AGENT : undefined);
  const knownAdapters = adapter === undefined ? undefined : new Set([adapter]);
  const fields = adapter === undefined || !isRecord(document) ? document : { ...document, adapter };
  const checks = { ...scenarioChecks({ file, project, knownAdapters }), isCode: true };
  const checked = checkScenario(fields, {
    ...checks,
    files: fileChecks(checks),
    servers,
    texts: checkTextAssertion,
    faults: checkToolFaults,
    expected: withExpectedColumns,
  });
  refuseErrors('The scenario is not valid', [...problems, ...checked.problems], checked.diagnostics);
  if (!checked.data) throw new SalvoError('OBJECT_INVALID', 'The scenario is not valid.');
  const name = checked.data.name ?? 'scenario';
  const scenario = { ...checked.data, name, ...(Object.keys(hashes).length > 0 && { functions: hashes }) };
  const inProject = given === undefined ? name : relativeFile(project.root, given);
  return {
    scenario,
    file,
    relativeFile: inProject,
    isOneOfSeveral: given !== undefined,
    hash: scenarioHash(scenario),
    warnings: [],
    functions,
  };
}

function refuseErrors(
  title: string,
  problems: readonly Problem[],
  rubricProblems: readonly { severity: string; file: string; message: string }[] = [],
): void {
  const lines = [
    ...problems
      .filter(({ severity = 'error' }) => severity === 'error')
      .map(({ path, message, hint }) => {
        const place = path.length === 0 ? '' : `${pathText(path)}: `;
        return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
      }),
    ...rubricProblems.filter(({ severity }) => severity === 'error').map(({ file, message }) => `${file}: ${message}`),
  ];
  if (lines.length === 0) return;
  throw new SalvoError('OBJECT_INVALID', maskSecrets(`${title}:${lines.map((line) => `\n  ${line}`).join('')}`));
}

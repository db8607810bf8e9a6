import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { checkScenario } from './checks/check-scenario.ts';
import type { ScenarioChecks } from './checks/scenario-checks.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { DiagnosticsError, hasErrors } from './diagnostics/diagnostics-error.ts';
import type { KnownAdapters } from './load-project.ts';
import { scenarioHash } from './scenario-identity.ts';
import { type Project, readRoot } from './schema/project-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';
import { inspectYaml } from './yaml/inspect-yaml.ts';

export interface LoadedScenario {
  scenario: Scenario;
  /** Absolute path. */
  file: string;
  /** Relative to the project's root, with forward slashes. */
  relativeFile: string;
  hash: string;
  warnings: Diagnostic[];
}

export interface ScenarioFile extends KnownAdapters {
  file: string;
  project: Project;
}

/** A scenario, ready to run; or a `DiagnosticsError` with all problems of its file. */
export async function loadScenario(options: ScenarioFile): Promise<LoadedScenario> {
  const { scenario, file, diagnostics } = inspectScenario(options);
  if (!scenario) throw new DiagnosticsError(diagnostics);
  return {
    scenario,
    file,
    relativeFile: relativeFile(options.project.root, file),
    hash: scenarioHash(scenario),
    warnings: diagnostics,
  };
}

export interface InspectedScenario {
  file: string;
  /** Null when there are errors. */
  scenario: Scenario | null;
  diagnostics: Diagnostic[];
}

/** A scenario file with all its problems, warnings included. */
export function inspectScenario({ file: given, project, knownAdapters }: ScenarioFile): InspectedScenario {
  const file = resolve(given);
  const { data, diagnostics } = inspectYaml({
    file,
    projectRoot: readRoot(project),
    emptyHint: 'a scenario has at least a prompt',
    check: (value, fileAt) => checkScenario(value, { ...scenarioChecks({ file, project, knownAdapters }), fileAt }),
  });
  if (!data || hasErrors(diagnostics)) return { file, scenario: null, diagnostics };
  return { file, scenario: { ...data, name: data.name ?? basename(file, extname(file)) }, diagnostics };
}

/** What the scenarios of a project are checked with. */
export function scenarioChecks({ file, project, knownAdapters = new Set() }: ScenarioFile): ScenarioChecks {
  const { default_adapter, adapters, defaults } = project.config;
  // A run keeps these with its record, so that it can be judged by what held when it began.
  const { min_pass_rate: _, min_score: __, ...fields } = defaults;
  return {
    file,
    projectRoot: project.root,
    readRoot: readRoot(project),
    defaults: fields,
    defaultAdapter: default_adapter,
    adapterNames: {
      named: new Map(Object.entries(adapters).map(([name, { type }]) => [name, type])),
      registered: new Set([...registeredAdapters.keys(), ...knownAdapters]),
    },
  };
}

/** Relative to the project's root, with forward slashes. */
export function relativeFile(root: string, file: string): string {
  const path = relative(root, file);
  return (isAbsolute(path) ? file : path).replaceAll(sep, '/');
}

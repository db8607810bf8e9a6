import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { checkScenario } from './checks/check-scenario.ts';
import { type Diagnostic, DiagnosticsError } from './diagnostics/diagnostic.ts';
import { diagnosticAt, locateProblem } from './diagnostics/problem.ts';
import { inReadingOrder } from './diagnostics/reading-order.ts';
import type { KnownAdapters } from './load-project.ts';
import { scenarioHash } from './scenario-hash.ts';
import type { Project } from './schema/project-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';
import { loadYaml } from './yaml/load-yaml.ts';

export interface LoadedScenario {
  scenario: Scenario;
  /** Absolute. */
  file: string;
  /** From the project's root, with forward slashes. */
  relativeFile: string;
  hash: string;
  warnings: Diagnostic[];
}

export interface ScenarioFile extends KnownAdapters {
  file: string;
  project: Project;
}

/** A scenario, ready to run; or a `DiagnosticsError` with everything that is wrong with its file. */
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
  const { root, diagnostics } = loadYaml({ file, projectRoot: project.root });
  if (!root || root.broken) return { file, scenario: null, diagnostics: inReadingOrder(diagnostics, file) };
  if (root.value === null) {
    const empty = {
      code: 'empty-file',
      message: 'the file is empty',
      hint: 'a scenario has at least a prompt',
    } as const;
    return { file, scenario: null, diagnostics: [...diagnostics, diagnosticAt(root.span, empty)] };
  }
  const checked = checkScenario(root.value, {
    file,
    projectRoot: project.root,
    defaultAdapter: project.config.default_adapter,
    adapterNames: {
      named: new Map(Object.entries(project.config.adapters).map(([name, { type }]) => [name, type])),
      registered: new Set([...registeredAdapters.keys(), ...(knownAdapters ?? [])]),
    },
  });
  const found = checked.problems.flatMap((problem) => locateProblem(root, problem) ?? []);
  const all = inReadingOrder([...diagnostics, ...found, ...checked.rubricDiagnostics], file);
  const isRight = checked.fields !== null && !all.some(({ severity }) => severity === 'error');
  if (!checked.fields || !isRight) return { file, scenario: null, diagnostics: all };
  const { assertions } = checked;
  const name = checked.fields.name ?? basename(file, extname(file));
  return { file, scenario: { ...checked.fields, name, assertions }, diagnostics: all };
}

function relativeFile(root: string, file: string): string {
  const path = relative(root, file);
  return (isAbsolute(path) ? file : path).replaceAll(sep, '/');
}

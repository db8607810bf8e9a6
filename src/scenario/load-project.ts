import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { checkProject, namedAdapters } from './checks/check-project.ts';
import { type Diagnostic, DiagnosticsError } from './diagnostics/diagnostic.ts';
import { locateProblem } from './diagnostics/problem.ts';
import { inReadingOrder } from './diagnostics/reading-order.ts';
import { type Project, projectSchema } from './schema/project-schema.ts';
import { loadYaml } from './yaml/load-yaml.ts';

export interface KnownAdapters {
  /** Names to accept beside those of salvo.yaml, the built-in and the registered ones. */
  knownAdapters?: ReadonlySet<string> | undefined;
}

export interface InspectedProject {
  /** With the defaults in place of what has errors. */
  project: Project;
  /** Every adapter name salvo.yaml has an entry for, whether the entry is right or not. */
  adapterNames: ReadonlySet<string>;
  diagnostics: Diagnostic[];
}

/** The project around a folder: the nearest salvo.yaml from there upwards, or the defaults when there is none. */
export async function loadProject(cwd: string, known: KnownAdapters = {}): Promise<Project> {
  const { project, diagnostics } = await inspectProject(cwd, known);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticsError(errors);
  return project;
}

/** Like `loadProject`, but errors in salvo.yaml are handed back, so that scenarios can be checked all the same. */
export async function inspectProject(cwd: string, { knownAdapters }: KnownAdapters = {}): Promise<InspectedProject> {
  const file = findProjectFile(resolve(cwd));
  const root = file === null ? resolve(cwd) : dirname(file);
  const fallback = { root, file, config: projectSchema.parse({}) };
  if (file === null) return { project: fallback, adapterNames: new Set(), diagnostics: [] };

  const { root: tree, diagnostics } = loadYaml({ file, projectRoot: root });
  if (!tree) return { project: fallback, adapterNames: new Set(), diagnostics };
  const { config, problems } = checkProject(tree.value, {
    root,
    registeredAdapters: new Set([...registeredAdapters.keys(), ...(knownAdapters ?? [])]),
  });
  const found = problems.flatMap((problem) => locateProblem(tree, problem) ?? []);
  return {
    project: config ? { root, file, config } : fallback,
    adapterNames: new Set(namedAdapters(tree.value).keys()),
    diagnostics: inReadingOrder([...diagnostics, ...found], file),
  };
}

/** All problems of one salvo.yaml. */
export async function checkProjectFile({ file, ...known }: { file: string } & KnownAdapters): Promise<Diagnostic[]> {
  return (await inspectProject(dirname(resolve(file)), known)).diagnostics;
}

function findProjectFile(folder: string): string | null {
  for (const name of ['salvo.yaml', 'salvo.yml']) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  const parent = dirname(folder);
  return parent === folder ? null : findProjectFile(parent);
}

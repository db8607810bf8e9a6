import { basename, dirname, resolve } from 'node:path';
import { findScenarioFiles } from '../../scenario/find-scenario-files.ts';
import { findProjectFile, isPluginPackage } from '../../scenario/project-file.ts';
import { type Project, projectSchema } from '../../scenario/schema/project-schema.ts';
import { loadYaml } from '../../scenario/yaml/load-yaml.ts';
import { filesOfCommand, fileWithNamed, mentionsWord, textOf } from './named-files.ts';

/** The files that scenarios depend on, all absolute. */
export interface WatchedFiles {
  /** By scenario file: itself, and every file that it names, directly or through others. */
  scenarios: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that all scenarios depend on: salvo.yaml, `env_file`, plugins and hooks. */
  shared: ReadonlySet<string>;
  /** By scenario file: the names by which its scenarios were asked for. It may have others, which were not. */
  names: ReadonlyMap<string, readonly string[]>;
}

/**
 * What to watch, found by reading files and not by running them: it works for a file with errors, too. A file counts as
 * named if its path is written in another one, such as in `!include`, `data: rows.csv` or an import. A path that code
 * computes is not found.
 */
export async function watchedFiles(options: { cwd: string; files: readonly string[] }): Promise<WatchedFiles> {
  const { cwd, files } = options;
  const project = readProject(cwd);
  const { root, config } = project;
  const { found, names } = await scenarioFiles({ project, cwd, files });
  const own = new Map(found.map((file) => [file, fileWithNamed(file, { root })]));
  const shared = new Set(project.file === null ? [] : [project.file]);
  const plugins = config.plugins.filter((name) => !isPluginPackage(name));
  for (const name of [config.env_file, config.hooks, ...plugins]) {
    if (name !== undefined) for (const file of fileWithNamed(resolve(root, name), { root })) shared.add(file);
  }
  const inProject = (name: string) => filesOfCommand(name, root).flatMap((file) => [...fileWithNamed(file, { root })]);
  for (const file of inProject(config.default_adapter)) shared.add(file);
  for (const [name, adapter] of Object.entries(config.adapters)) {
    const address = adapter.type === 'module' ? adapter.path : adapter.type === 'exec' ? String(adapter.command) : '';
    const modules = inProject(address);
    if (name === config.default_adapter || name === config.judge.adapter) for (const file of modules) shared.add(file);
    for (const [file, dependencies] of own) {
      if (mentions(file, name)) for (const module of modules) dependencies.add(module);
    }
  }
  return { scenarios: own, shared, names };
}

/** The scenarios that a change of these files touches. */
export function touchedScenarios({ scenarios, shared }: WatchedFiles, changed: ReadonlySet<string>): string[] {
  if ([...changed].some((file) => shared.has(file))) return [...scenarios.keys()];
  const isTouched = (files: ReadonlySet<string>) => [...changed].some((file) => files.has(file));
  return [...scenarios].filter(([, files]) => isTouched(files)).map(([file]) => file);
}

/** What to ask for to run these files again: their paths, or the names by which they were asked for. */
export function askedFor({ names }: WatchedFiles, files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => names.get(file) ?? [file]))];
}

/** The settings, without loading plugins. Those of a file with errors are the defaults. */
function readProject(cwd: string): Project {
  const file = findProjectFile(resolve(cwd));
  const root = file === null ? resolve(cwd) : dirname(file);
  const value = file === null ? {} : loadYaml({ file, projectRoot: root }).root?.value;
  const { data } = projectSchema.safeParse(value ?? {});
  return { root, file, config: data ?? projectSchema.parse({}) };
}

async function scenarioFiles(options: {
  project: Project;
  cwd: string;
  files: readonly string[];
}): Promise<{ found: string[]; names: Map<string, string[]> }> {
  const { project, cwd, files } = options;
  const all = () => findScenarioFiles({ patterns: [], project, cwd }).catch(() => []);
  const names = new Map<string, string[]>();
  if (files.length === 0) return { found: await all(), names };
  const byPath = new Set<string>();
  for (const pattern of files) {
    const matching = await findScenarioFiles({ patterns: [pattern], project, cwd }).catch(() => null);
    for (const file of matching ?? []) byPath.add(file);
    if (matching) continue;
    const isNamed = (file: string) => basename(file).startsWith(`${pattern}.`) || mentions(file, pattern);
    for (const file of (await all()).filter(isNamed)) names.set(file, [...(names.get(file) ?? []), pattern]);
  }
  const found = new Set([...byPath, ...names.keys()]);
  for (const file of byPath) names.delete(file);
  return { found: [...found], names };
}

/** Whether a file has a name in it, as a word of its own. */
function mentions(file: string, name: string): boolean {
  return mentionsWord(textOf(file), name);
}

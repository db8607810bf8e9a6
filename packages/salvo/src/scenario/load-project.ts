import { dirname, resolve } from 'node:path';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { packageOf } from '../extension/load-extension.ts';
import { isRecord } from '../text/json/is-record.ts';
import { checkProject, namedAdapters } from './checks/check-project.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import type { Problem } from './diagnostics/problem.ts';
import type { LoadedPlugins } from './load-plugins.ts';
import { findProjectFile } from './project-file.ts';
import { type Project, projectSchema } from './schema/project-schema.ts';
import { checkYaml } from './yaml/inspect-yaml.ts';
import { loadYaml } from './yaml/load-yaml.ts';

export interface KnownAdapters {
  /** Names to accept besides built-in, registered and named adapters. */
  knownAdapters?: ReadonlySet<string> | undefined;
}

interface InspectProjectOptions extends KnownAdapters {
  /** False: plugins are not executed, and what they would register is not missed. */
  plugins?: boolean | undefined;
}

export interface InspectedProject {
  /** The defaults when salvo.yaml has errors. */
  project: Project;
  /** Every adapter that salvo.yaml names, whether its entry is valid or not. */
  adapterNames: ReadonlySet<string>;
  /** A plugin could not be loaded, so assertion types and adapters may be unknown that it would register. */
  pluginsFailed: boolean;
  diagnostics: Diagnostic[];
}

/**
 * The project of a folder: the nearest salvo.yaml from there upwards, or the defaults when there is none. Its plugins are
 * executed.
 */
export async function loadProject(cwd = process.cwd(), known: KnownAdapters = {}): Promise<Project> {
  return projectWithoutErrors(cwd, known);
}

/** Like `loadProject`, for everything that only reads results or settings: no code of the project is executed. */
export async function loadSettings(cwd = process.cwd()): Promise<Project> {
  return projectWithoutErrors(cwd, { plugins: false });
}

async function projectWithoutErrors(cwd: string, options: InspectProjectOptions): Promise<Project> {
  const { project, diagnostics } = await inspectProject(cwd, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticsError(errors);
  return diagnostics.length === 0 ? project : { ...project, warnings: diagnostics };
}

/** Like `loadProject`, but returns the errors in salvo.yaml, so that scenarios can be checked as well. */
export async function inspectProject(
  cwd: string,
  { knownAdapters, plugins: withPlugins = true }: InspectProjectOptions = {},
): Promise<InspectedProject> {
  const file = findProjectFile(resolve(cwd));
  const root = file === null ? resolve(cwd) : dirname(file);
  const fallback = { root, file, config: projectSchema.parse({}, { jitless: true }) };
  if (file === null) return { project: fallback, adapterNames: new Set(), pluginsFailed: false, diagnostics: [] };

  const loaded = loadYaml({ file, projectRoot: root });
  const value = loaded.root?.value;
  const ofPackages = await missingPackages(value);
  const plugins = withPlugins ? await pluginsFor(value, root) : { problems: [], diagnostics: [] };
  let pluginsFailed = !withPlugins;
  const shared = await sharedAssertions(value, { file, root, knownAdapters });
  const registered = new Set([...registeredAdapters.keys(), ...(knownAdapters ?? [])]);
  const { data, diagnostics } = checkYaml(loaded, {
    file,
    check: () => {
      const checked = checkProject(value, { root, registeredAdapters: registered });
      const problems = [...checked.problems, ...ofPackages, ...plugins.problems, ...shared.problems];
      pluginsFailed ||= plugins.diagnostics.length > 0 || problems.some(({ path }) => path[0] === 'plugins');
      return {
        data: checked.data,
        // A plugin that was not loaded may be the one that registers the adapter or the assertion type.
        problems: problems.filter(({ code }) => !pluginsFailed || !OF_PLUGINS.has(code)),
        diagnostics: [...plugins.diagnostics, ...shared.diagnostics],
      };
    },
  });
  // Wrong ones would be reported again in every scenario.
  const config =
    data && shared.problems.some(isWrong) ? { ...data, defaults: { ...data.defaults, assertions: [] } } : data;
  const project = config ? { root, file, config } : fallback;
  return { project, adapterNames: new Set(namedAdapters(value).keys()), pluginsFailed, diagnostics };
}

const isWrong = ({ severity = 'error' }: Problem): boolean => severity === 'error';

const OF_PLUGINS: ReadonlySet<string> = new Set(['unknown-adapter', 'unknown-assertion-type']);

/** Loads nothing for a project without them. */
async function sharedAssertions(
  value: unknown,
  { file, root, knownAdapters = new Set() }: KnownAdapters & { file: string; root: string },
): Promise<{ problems: Problem[]; diagnostics: Diagnostic[] }> {
  if (!isRecord(value) || !isRecord(value.defaults) || value.defaults.assertions === undefined) {
    return { problems: [], diagnostics: [] };
  }
  const { sharedAssertionProblems } = await import('./checks/check-shared-assertions.ts');
  const registered = new Set([...registeredAdapters.keys(), ...knownAdapters]);
  return sharedAssertionProblems(value.defaults, {
    ...{ file, root, adapterNames: { named: namedAdapters(value), registered } },
  });
}

/** Settings without an effect, because the package that reads them is not installed. */
async function missingPackages(config: unknown): Promise<Problem[]> {
  const named = Object.keys(isRecord(config) ? config : {}).flatMap((key) => {
    const name = packageOf('settings', key);
    return name === undefined ? [] : [{ key, name }];
  });
  if (named.length === 0) return [];
  const { loadExtension } = await import('../extension/load-extension.ts');
  const missing = await Promise.all(named.map(async ({ name }) => (await loadExtension(name)) === null));
  return named
    .filter((_, index) => missing[index])
    .map(({ key, name }) => ({
      code: 'package-missing',
      message: `${key} is part of the package ${name}, which is not installed`,
      hint: `run npm install --save-dev ${name}, or leave it out`,
      path: [key],
      at: 'key',
    }));
}

/** Loads the plugins before salvo.yaml is checked, because it may name adapters that they register. */
async function pluginsFor(config: unknown, root: string): Promise<LoadedPlugins> {
  if (!isRecord(config) || !Array.isArray(config.plugins)) return { problems: [], diagnostics: [] };
  const { loadPlugins } = await import('./load-plugins.ts');
  return loadPlugins(config.plugins, root);
}

/** All problems of a salvo.yaml. */
export async function checkProjectFile({ file, ...known }: { file: string } & KnownAdapters): Promise<Diagnostic[]> {
  return (await inspectProject(dirname(resolve(file)), known)).diagnostics;
}

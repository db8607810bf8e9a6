import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { adapterIdentity } from '../../adapters/adapter-identity.ts';
import { adapterOptionsOf } from '../../adapters/adapter-name.ts';
import { splitCommandLine } from '../../adapters/program/command-line.ts';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import { shortHash } from '../../run/compare/yardstick.ts';
import { type AgentFiles, PACKAGE, SETTINGS } from '../../run/record/agent-files.ts';
import { isCodeFile } from '../../scenario/find-scenario-files.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { isPluginPackage } from '../../scenario/project-file.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { isPackageName } from '../../text/modules/dependency.ts';
import { fileWithImports, ownFilesOfCommand, packagesImportedBy } from '../project/named-files.ts';
import { codeText, projectPath } from './code-contents.ts';

/**
 * The files of the agents by their paths from the root, with all that they import; the packages that these import, with
 * their versions; and the settings of adapters that lead to a server or a program. What a path that is computed leads to
 * is not found. Nothing is read for agents without code here.
 */
export function agentFiles(
  entries: readonly { loaded: LoadedScenario; adapter?: string | undefined }[],
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): AgentFiles {
  const { root, config } = project;
  const adapters = new Set(
    entries.map((each) => each.adapter ?? each.loaded.scenario.adapter ?? config.default_adapter),
  );
  const code = new Set(entries.flatMap(({ loaded: { file } }) => (isCodeFile(file) ? [file] : [])));
  const begins = new Set([...code, ...[...adapters].flatMap((name) => filesOfAdapter(name, project))]);
  const files = new Set([...begins].flatMap((file) => [...fileWithImports(file, root)]));
  const isRegistered = [...adapters].some((name) => registeredAdapters.has(name));
  const packages = isRegistered ? config.plugins.filter(isPluginPackage) : [];
  const context = { root, adapters: config.adapters, env };
  const settings = [...adapters].filter(
    (name) => Object.hasOwn(config.adapters, name) && config.adapters[name]?.type !== 'module',
  );
  return Object.fromEntries([
    ...settings.map((name) => [`${SETTINGS}${name}`, shortHash(adapterIdentity(name, context))]),
    ...[...files].flatMap((file) => hashOfFile(file, root)),
    ...[...files].flatMap((file) => versionsOf(packagesImportedBy(file), file)),
    ...versionsOf(packages, join(root, 'salvo.yaml')),
  ]);
}

/** The files with which an adapter's own code begins. */
function filesOfAdapter(name: string, { root, config }: Project): string[] {
  // Only the name of a registered adapter is known, and that a plugin registers it.
  if (registeredAdapters.has(name)) {
    return config.plugins.filter((plugin) => !isPluginPackage(plugin)).map((plugin) => resolve(root, plugin));
  }
  const options = adapterOptionsOf(name, { adapters: config.adapters });
  switch (options?.type) {
    case 'module':
      return [resolve(root, options.path)];
    case 'exec': {
      const words = typeof options.command === 'string' ? splitCommandLine(options.command) : options.command;
      return ownFilesOfCommand(words, { folder: resolve(root, options.cwd ?? '.'), root });
    }
    case 'ai-sdk':
      return isPackageName(options.package) ? [] : [resolve(root, options.package)];
    default:
      return [];
  }
}

/** None for a file that cannot be read: the trials will say so. */
function hashOfFile(file: string, root: string): [string, string][] {
  try {
    return [[projectPath(file, root), shortHash(codeText(file))]];
  } catch {
    return [];
  }
}

/** Those of the packages that a file finds. */
function versionsOf(packages: readonly string[], file: string): [string, string][] {
  return packages.flatMap((name): [string, string][] => {
    const version = packageVersion(name, file);
    return version === undefined ? [] : [[`${PACKAGE}${name}`, version]];
  });
}

/** The version of a package that a file would import; undefined if it would find none. */
export function packageVersion(name: string, file: string): string | undefined {
  try {
    const manifest = findPackageJSON(name, file);
    const content: unknown = manifest === undefined ? null : JSON.parse(readFileSync(manifest, 'utf8'));
    return isRecord(content) && typeof content.version === 'string' ? content.version : undefined;
  } catch {
    return undefined;
  }
}

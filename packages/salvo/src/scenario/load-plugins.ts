import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findPackage } from '../adapters/call/optional-package.ts';
import { isExtension, registerExtension } from '../extension/load-extension.ts';
import { remembered } from '../text/memo.ts';
import { importModule, ModuleLoadError } from '../text/modules/import-module.ts';
import { isAllCodeRefused } from '../text/modules/permitted-code.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { diagnosticInFile, type Problem } from './diagnostics/problem.ts';
import { isPluginFile, isPluginPackage } from './project-file.ts';

export interface LoadedPlugins {
  /** Problems at the entries of `plugins` in salvo.yaml. */
  problems: Problem[];
  /** Problems inside the plugins' own files. */
  diagnostics: Diagnostic[];
}

/**
 * Loads the plugins that a salvo.yaml names, one after the other, each once per process. A plugin calls
 * `registerEvaluator` and `registerAdapter`, and may export an extension as its default. What is no file or must not be executed
 * is left to `checkProject`.
 */
export async function loadPlugins(names: readonly unknown[], root: string): Promise<LoadedPlugins> {
  const loaded: LoadedPlugins = { problems: [], diagnostics: [] };
  if (isAllCodeRefused()) return loaded;
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') continue;
    const file = isPluginFile(name) || isPluginPackage(name) ? pluginFile(name, root) : undefined;
    if (file === undefined && isPluginPackage(name)) {
      const hint = `run: npm install --save-dev ${name}; a file is written with its extension, such as ./plugin.ts`;
      const message = `the package ${name} is not installed`;
      loaded.problems.push({ code: 'missing-file', message, hint, path: ['plugins', index] });
    }
    if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const error = await remembered(failures, file, () => loadPlugin(file));
    if (error === null) continue;
    const { place, nextStep } = error;
    const message = `the plugin cannot be loaded: ${error.message}${nextStep === undefined ? '' : `. ${nextStep}`}`;
    if (place) loaded.diagnostics.push(diagnosticInFile(place, { code: 'plugin-error', message }));
    else loaded.problems.push({ code: 'plugin-error', message, path: ['plugins', index] });
  }
  return loaded;
}

/** Null for a plugin that was loaded without an error. */
const failures = new Map<string, Promise<ModuleLoadError | null>>();

async function loadPlugin(file: string): Promise<ModuleLoadError | null> {
  try {
    const { default: exported } = await importModule(file);
    if (isExtension(exported)) await registerExtension(exported);
    return null;
  } catch (error) {
    if (error instanceof ModuleLoadError) return error;
    throw error;
  }
}

/** Where the code of a plugin begins; undefined for a package that is not installed. */
function pluginFile(name: string, root: string): string | undefined {
  return isPluginPackage(name) ? findPackage(name, root) : resolve(root, name.replaceAll('\0', ''));
}

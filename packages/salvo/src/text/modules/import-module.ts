import { pathToFileURL } from 'node:url';
import { refuseUnpermitted } from './permitted-code.ts';
import { type ImportLog, importWith, logged, resolveUserModule } from './user-module.ts';

export { ModuleLoadError } from './user-module.ts';

/** URLs of modules that Node has loaded without the help of a loader. */
const loadedPlainly = new Set<string>();

/**
 * Imports a module of the user: an agent, a scenario, hooks, a check or a plugin. Node removes types itself; for other
 * TypeScript, a loader that is installed in the project is used. Throws a `ModuleLoadError`.
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  refuseUnpermitted({ module: file });
  const log: ImportLog = { found: new Map(), missing: undefined };
  try {
    const exports = await importWith(logged(resolveUserModule, log), pathToFileURL(file).href);
    for (const url of log.found.keys()) loadedPlainly.add(url);
    return exports;
  } catch (cause) {
    // Loaded here: most modules need no loader and have no errors.
    const { importWithLoader } = await import('./typescript-loader.ts');
    return importWithLoader({ file, cause, log, loadedPlainly });
  }
}

import { findPackageJSON, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { processWideMap } from '../text/process-wide.ts';
import type { Door, Doors, SalvoExtension } from './extension.ts';
import { KNOWN_PACKAGES } from './known-packages.ts';

/** By the name of their package; null for a package that is not installed. */
const extensions = processWideMap<Promise<SalvoExtension | null>>('extensions');

/** Adds an extension to this process, such as one that is not known to Salvo. */
export function registerExtension(extension: SalvoExtension): void {
  extensions.set(extension.name, Promise.resolve(extension));
}

/** What a package adds to Salvo; null if it is not installed. */
export function loadExtension(name: string, cwd = process.cwd()): Promise<SalvoExtension | null> {
  const loading = extensions.get(name) ?? importExtension(name, cwd);
  extensions.set(name, loading);
  return loading;
}

/** What a package has behind a door. Throws if it is not installed. `what` needs it: the start of the error message. */
export async function openDoor<D extends Door>(
  door: D,
  { name, what }: { name: string; what: string },
): Promise<Doors[D]> {
  const opened = await (await loadExtension(name))?.doors[door]?.();
  if (opened === undefined) throw missingPackage(name, what);
  return opened;
}

/** What all installed packages, and all registered extensions, have behind a door. */
export async function openDoors<D extends Door>(door: D): Promise<Doors[D][]> {
  const names = new Set([...KNOWN_PACKAGES.map(({ name }) => name), ...extensions.keys()]);
  const opened = await Promise.all([...names].map(async (name) => (await loadExtension(name))?.doors[door]?.()));
  return opened.filter((each) => each !== undefined);
}

export function missingPackage(name: string, what: string): SalvoError {
  return new SalvoError(
    'PACKAGE_MISSING',
    `${what} is part of the package ${name}, which is not installed. Run: npm install --save-dev ${name}`,
  );
}

async function importExtension(name: string, cwd: string): Promise<SalvoExtension | null> {
  const entry = `${name}/extension`;
  try {
    return (await import(/* @vite-ignore */ entry)).default;
  } catch (error) {
    if (findPackageJSON(name, import.meta.url) !== undefined) throw error;
  }
  // Salvo may be installed elsewhere than what it is extended with, for all projects of a machine for example.
  const manifest = findPackageJSON(name, pathToFileURL(join(cwd, 'salvo.yaml')));
  if (manifest === undefined) return null;
  // What it imports of Salvo is the copy that is running.
  const { resolveSalvo } = await import('../text/modules/import-module.ts');
  registerHooks({ resolve: resolveSalvo });
  return (await import(pathToFileURL(join(dirname(manifest), 'dist/extension.js')).href)).default;
}

import { findPackageJSON, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { processWideMap } from '../text/process-wide.ts';
import type { Door, Doors, SalvoExtension } from './extension.ts';

/** Words of Salvo that only a package gives a meaning to: what they are, and the words. */
interface KnownPackage {
  name: string;
  commands: readonly string[];
  assertions: readonly string[];
  /** Options of commands of others. */
  options: readonly string[];
  /** Keys of salvo.yaml. */
  settings: readonly string[];
}

/** Packages that Salvo looks for by itself, and offers to install if something needs them. */
export const KNOWN_PACKAGES: readonly KnownPackage[] = [
  {
    name: 'salvo-arena',
    commands: [
      'score',
      'game',
      'play',
      'scan',
      'red',
      'blue',
      'tools',
      'tasks',
      'rules',
      'experiment',
      'bench-scanner',
    ],
    assertions: ['findings'],
    options: [],
    settings: [],
  },
  {
    name: 'salvo-postgres',
    commands: ['worker', 'attach'],
    assertions: [],
    options: ['--local-workers', '--labels', '--wait', '--detach'],
    settings: ['workers'],
  },
];

/** The package that a word belongs to; undefined if it is a word of none. */
export function packageOf(kind: 'commands' | 'assertions' | 'options' | 'settings', word: string): string | undefined {
  return KNOWN_PACKAGES.find((known) => known[kind].includes(word))?.name;
}

/** Whether a module exports an extension. */
export function isExtension(exported: unknown): exported is SalvoExtension {
  return isRecord(exported) && typeof exported.name === 'string' && isRecord(exported.doors);
}

export function defineExtension(extension: SalvoExtension): SalvoExtension {
  return extension;
}

/** By the name of their package; null for a package that is not installed. */
const extensions = processWideMap<Promise<SalvoExtension | null>>('extensions');

/** Adds an extension to this process that Salvo does not look for by itself. */
export async function registerExtension(extension: SalvoExtension): Promise<void> {
  extensions.set(extension.name, Promise.resolve(extension));
  await keepRunningSalvo();
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
  const opened = await behindDoor(door, name);
  if (opened === undefined) throw missingPackage(name, what);
  return opened;
}

/** What all installed packages, and all registered extensions, have behind a door. */
export async function openDoors<D extends Door>(door: D): Promise<Doors[D][]> {
  const names = new Set([...KNOWN_PACKAGES.map(({ name }) => name), ...extensions.keys()]);
  const opened = await Promise.all([...names].map((name) => behindDoor(door, name)));
  return opened.filter((each) => each !== undefined);
}

/** Undefined if the package is not installed, or adds nothing there. */
async function behindDoor<D extends Door>(door: D, name: string): Promise<Doors[D] | undefined> {
  try {
    return await (await loadExtension(name))?.doors[door]?.();
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError(
      'EXTENSION_FAILED',
      `The package ${name} failed to provide its ${door}: ${errorMessage(cause)}. Update it together with Salvo, or uninstall it; if it is yours, correct it.`,
      { cause },
    );
  }
}

export function missingPackage(name: string, what: string): MissingPackageError {
  return new MissingPackageError(name, what);
}

/** Something needs a package that is not installed. */
export class MissingPackageError extends SalvoError {
  readonly package: string;

  constructor(name: string, what: string) {
    super(
      'PACKAGE_MISSING',
      `${what} is part of the package ${name}, which is not installed. Run: npm install --save-dev ${name}`,
    );
    this.package = name;
  }
}

let isRunningSalvoKept = false;

/** From now on, what extensions import of Salvo is the copy that is running: they load their parts when these are needed. */
async function keepRunningSalvo(): Promise<void> {
  if (isRunningSalvoKept) return;
  isRunningSalvoKept = true;
  const { resolveSalvo } = await import('../text/modules/user-module.ts');
  registerHooks({ resolve: resolveSalvo });
}

/** The address of the entry of a package that Salvo looks for by itself; undefined if it is not installed. */
export function extensionFile(name: string, cwd: string): string | undefined {
  const manifest = manifestOf(name, import.meta.url) ?? manifestOf(name, pathToFileURL(join(cwd, 'salvo.yaml')).href);
  return manifest && pathToFileURL(join(dirname(manifest), 'dist/extension.js')).href;
}

async function importExtension(name: string, cwd: string): Promise<SalvoExtension | null> {
  const entry = `${name}/extension`;
  try {
    return (await import(/* @vite-ignore */ entry)).default;
  } catch (error) {
    if (manifestOf(name, import.meta.url) !== undefined) throw error;
  }
  // Salvo may be installed elsewhere than what it is extended with, for all projects of a machine for example.
  const file = extensionFile(name, cwd);
  if (file === undefined) return null;
  await keepRunningSalvo();
  return (await import(file)).default;
}

/** The package.json of a package that a module would find. Node throws for one that it does not find. */
function manifestOf(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

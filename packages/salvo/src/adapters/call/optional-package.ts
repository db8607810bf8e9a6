import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { isPackageName } from '../../text/modules/dependency.ts';
import { refuseUnpermitted } from '../../text/modules/permitted-code.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';

interface OptionalPackage {
  name: string;
  /** The folder of the project, where the user installed it. */
  root: string;
  /** Every package that the adapter needs: the error names all that are missing in one command. */
  needed: string[];
}

/** Imports a package that does not come with Salvo: from the user's project, or from where Salvo is installed. */
export async function importOptionalPackage<T = Record<string, unknown>>(wanted: OptionalPackage): Promise<T> {
  const file = findPackage(wanted.name, wanted.root);
  if (file === undefined) throw missingPackage(wanted);
  if (!isPackageName(wanted.name) || isOwnFile(file, wanted.root)) refuseUnpermitted({ module: file });
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    const reason = quoteOutput(errorMessage(cause));
    const message = `The package ${wanted.name} could not be loaded: ${reason}`;
    throw new AdapterError('missing_dependency', message, { cause });
  }
}

/** A project that has the name of the package in its package.json is found under this name, too. */
function isOwnFile(file: string, root: string): boolean {
  if (!existsSync(root)) return false;
  const path = relative(realpathSync(root), file);
  return !path.startsWith('..') && !isAbsolute(path) && !path.split(sep).includes('node_modules');
}

/**
 * Imports a provider's SDK. `load` is an `import()` of a literal, which the bundler of an app can follow. Otherwise the
 * SDK is looked for in the user's project, where it is when Salvo itself is installed globally.
 */
export async function importSdk<T>(name: string, root: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    return importOptionalPackage<T>({ name, root, needed: [name] });
  }
}

/** The class of an SDK's client. Early versions of the SDKs have no export of this name. */
export function clientClass<T>(exported: T | undefined, { sdk, since }: { sdk: string; since: string }): T {
  if (typeof exported === 'function') return exported;
  throw new AdapterError(
    'missing_dependency',
    `The installed version of ${sdk} is too old for this adapter, which needs ${since} or later. Run: npm install ${sdk}@latest`,
  );
}

/** Whether `importSdk` would fail. Not known in a bundled app, which may contain the SDK: false. */
export function isSdkMissing(name: string, root: string): boolean {
  return !isBundled() && !isPackageInstalled(name, root);
}

function isBundled(): boolean {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) return true;
  const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  return !isRecord(content) || content.name !== 'salvo';
}

/** Whether the project or Salvo itself would find an npm package. Nothing of it is loaded. */
export function isPackageInstalled(name: string, root: string): boolean {
  return findPackage(name, root) !== undefined;
}

/** The file that an import of the package in the project, or in Salvo itself, would load. */
export function findPackage(name: string, root: string): string | undefined {
  return resolveFrom(join(root, 'salvo.yaml'), name) ?? resolveFrom(import.meta.filename, name);
}

function resolveFrom(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return resolveImportOnly(from, name);
  }
}

/** `require.resolve` does not see a package whose only entry is for `import`. */
function resolveImportOnly(from: string, name: string): string | undefined {
  try {
    const file = findPackageJSON(name, pathToFileURL(from));
    if (file === undefined) return undefined;
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const exports = isRecord(manifest) ? manifest.exports : undefined;
    const entry = importEntry(isRecord(exports) && '.' in exports ? exports['.'] : exports);
    return entry === undefined ? undefined : join(dirname(file), entry);
  } catch {
    return undefined;
  }
}

function importEntry(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!isRecord(target)) return undefined;
  const condition = Object.keys(target).find((key) => key === 'import' || key === 'node' || key === 'default');
  return condition === undefined ? undefined : importEntry(target[condition]);
}

function missingPackage({ name, root, needed }: OptionalPackage): AdapterError {
  const missing = needed.filter((candidate) => candidate === name || !isPackageInstalled(candidate, root));
  return new AdapterError(
    'missing_dependency',
    `This adapter needs the package ${name}, which is not installed. Run: npm install ${missing.join(' ')}`,
  );
}

import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../text/is-record.ts';
import { quoteOutput } from '../text/quote-output.ts';
import { AdapterError } from './adapter-error.ts';
import { isPackageInstalled } from './installed-package.ts';

interface OptionalPackage {
  name: string;
  /** The project, where the user installed it. */
  root: string;
  /** Everything the adapter needs: what is missing of it is named in one command. */
  needed: string[];
}

/** Imports a package that Salvo does not bring along, from the user's project or from beside Salvo. */
export async function importOptionalPackage(wanted: OptionalPackage): Promise<Record<string, unknown>> {
  const file =
    resolveFrom(join(wanted.root, 'salvo.yaml'), wanted.name) ?? resolveFrom(import.meta.filename, wanted.name);
  if (file === undefined) throw missingPackage(wanted);
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AdapterError(
      'missing_dependency',
      `The package ${wanted.name} could not be loaded: ${quoteOutput(reason)}`,
      {
        cause,
      },
    );
  }
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

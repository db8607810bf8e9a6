import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The text of a data file of this package, by its path relative to the calling module: pass `import.meta.url` and a
 * string literal. `scripts/build.ts` replaces every such call in `dist/` by the text itself, so that `dist/` reads no
 * file: an app that bundles Salvo has no `src/` beside it. Call it when the text is first needed, not on import.
 */
export function dataFile(moduleUrl: string, path: string): string {
  return readFileSync(new URL(path, moduleUrl), 'utf8');
}

/** The text of every file below a folder, by its path relative to that folder; otherwise as `dataFile`. */
export function dataFolder(moduleUrl: string, path: string): Readonly<Record<string, string>> {
  const folder = new URL(path.endsWith('/') ? path : `${path}/`, moduleUrl);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const root = fileURLToPath(folder);
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
      .sort()
      .map((file) => [file, dataFile(folder.href, file)]),
  );
}

/** One file of a data folder. That it is missing is a fault of this package, not of its user. */
export function fileOf(folder: Readonly<Record<string, string>>, file: string): string {
  const text = Object.hasOwn(folder, file) ? folder[file] : undefined;
  if (text === undefined) throw new Error(`The data file ${file} is missing in this package.`);
  return text;
}

import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** A file that ships with this package, by its path in the repository; the same from the sources and from `dist/`. */
export function packageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('The package.json of Salvo is missing.');
  return join(dirname(manifest), path);
}

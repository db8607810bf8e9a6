import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** An example project that ships with this package as files, for `salvo init` and `salvo demo` to copy. */
export function exampleFolder(name: string): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('The examples of Salvo are only there where its package is installed.');
  return join(dirname(manifest), 'examples', name);
}

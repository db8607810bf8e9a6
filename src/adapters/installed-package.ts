import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Whether an npm package is installed where the project or Salvo itself would find it. Nothing of it is loaded. */
export function isPackageInstalled(name: string, root: string): boolean {
  return [join(root, 'package.json'), import.meta.url].some((from) =>
    // Not `resolve`: it refuses packages that export nothing for `require`.
    (createRequire(from).resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name, 'package.json'))),
  );
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackageName } from '../text/modules/dependency.ts';

/** The nearest salvo.yaml from a folder upwards. */
export function findProjectFile(folder: string): string | null {
  for (const name of ['salvo.yaml', 'salvo.yml']) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  const parent = dirname(folder);
  return parent === folder ? null : findProjectFile(parent);
}

/** Whether a plugin is a package, and not a file of the project. */
export function isPluginPackage(name: string): boolean {
  return !isPluginFile(name) && isPackageName(name);
}

export function isPluginFile(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name);
}

import { resolve } from 'node:path';
import { findPackage, isPackageName } from '../adapters/call/optional-package.ts';

/** Whether a plugin is a package, and not a file of the project. */
export function isPluginPackage(name: string): boolean {
  return !isPluginFile(name) && isPackageName(name);
}

export function isPluginFile(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name);
}

/** Where the code of a plugin begins; undefined for a package that is not installed. */
export function pluginFile(name: string, root: string): string | undefined {
  return isPluginPackage(name) ? findPackage(name, root) : resolve(root, name.replaceAll('\0', ''));
}

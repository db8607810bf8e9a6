import { isPackageName } from '../text/modules/dependency.ts';

/** Whether a plugin is a package, and not a file of the project. */
export function isPluginPackage(name: string): boolean {
  return !isPluginFile(name) && isPackageName(name);
}

export function isPluginFile(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name);
}

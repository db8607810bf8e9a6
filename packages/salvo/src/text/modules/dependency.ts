import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Loads a dependency when it is first needed, without waiting: `ajv` alone takes longer to load than most commands take
 * to run. Pass a string literal: `scripts/build.ts` makes the call visible to the bundler of an app that uses Salvo.
 */
export const requireDependency = createRequire(import.meta.url);

/** A binary file of a dependency, by a string literal. `scripts/build.ts` puts the bytes into `dist/`. */
export function dependencyFile(specifier: string): Uint8Array {
  return readFileSync(requireDependency.resolve(specifier));
}

/** Whether the file comes from a package that somebody installed here. A path may name any file of the project. */
export function isPackageName(name: string): boolean {
  return /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/.test(name);
}

import { readFile } from 'node:fs/promises';
import { fingerprintOf } from './fingerprint.ts';

/** What `npm run build` made last. Tests use it again if the sources are still the same. */
export interface LastBuild {
  fingerprint: string;
  /** The sources of each file of the packages, by its path from `packages/`. */
  sources: Record<string, string[]>;
}

export const LAST_BUILD = 'node_modules/.cache/salvo-last-build.json';
export const PACKAGE_NAMES = ['salvo', 'salvo-arena', 'salvo-postgres'];

/** Everything that the build reads. The last one is npm's list of what is installed. */
const SOURCES = [
  ...PACKAGE_NAMES.flatMap((name) => ['src', 'web', 'bin', 'package.json'].map((part) => `packages/${name}/${part}`)),
  ...['scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json'],
];

/** Names what a build is made from by its content. */
export function buildFingerprint(root: string): Promise<string> {
  return fingerprintOf(root, SOURCES);
}

/** Null if there was none, or while one is under way. */
export async function lastBuild(root: string): Promise<LastBuild | null> {
  const text = await readFile(`${root}/${LAST_BUILD}`, 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}

import { cpSync, globSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Files of the repository that a package has in its tarball, besides what is built, by their names there. Of the pages only
 * the text: it is small, and where the package is installed people and their assistants look for it. Pictures, examples and
 * records of decisions are in the repository.
 */
export function packFiles(name: string): Readonly<Record<string, string>> {
  const license = { LICENSE: 'LICENSE' };
  if (name !== 'salvo') return license;
  const pages = globSync('docs/*.md', { cwd: ROOT }).map((page) => [`docs/${basename(page)}`, page]);
  const texts = ['README.md', 'CHANGELOG.md', 'SECURITY.md'].map((file) => [file, file]);
  return { ...license, ...Object.fromEntries([...texts, ...pages]) };
}

/** Copies them into the folder of the package. */
export function addPackFiles(name: string, folder: string): void {
  for (const [file, source] of Object.entries(packFiles(name))) {
    cpSync(join(ROOT, source), join(folder, file));
  }
}

/** The packages have no files of these names themselves. Git ignores the copies. */
export function removePackFiles(name: string, folder: string): void {
  for (const file of Object.keys(packFiles(name))) rmSync(join(folder, file), { force: true });
  if (name === 'salvo') rmSync(join(folder, 'docs'), { recursive: true, force: true });
}

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Names these files and folders by their content. Unit tests are left out: nothing is built from them. */
export async function fingerprintOf(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await filesIn(join(root, path))) {
      const content = createHash('sha256').update(await readFile(file));
      hash.update(`${relative(root, file)}\0${content.digest('hex')}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return [];
  if (stats.isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

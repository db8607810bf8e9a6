import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type SourceTree, stampOf } from '../../scenario/workspace/source-tree.ts';

/** How many files are copied at the same time. */
const COPIES = 16;

/**
 * Copies a folder. Files share their blocks with the original until they are written to, where the file system can do that.
 * Returns a stamp of each copied file, which changes when somebody writes to it.
 */
export async function copyTree(tree: SourceTree, target: string): Promise<Map<string, string>> {
  await mkdir(target, { recursive: true });
  for (const folder of tree.folders.toSorted()) await mkdir(join(target, folder), { recursive: true });
  const stamps = new Map<string, string>();
  const files = tree.files.keys();
  const copy = async (): Promise<void> => {
    for (const path of files) {
      const copied = join(target, path);
      await copyFile(join(tree.root, path), copied, constants.COPYFILE_FICLONE);
      stamps.set(path, stampOf(await lstat(copied, { bigint: true })));
    }
  };
  await Promise.all(Array.from({ length: COPIES }, copy));
  for (const [path, link] of tree.links) await symlink(link, join(target, path));
  for (const path of tree.linked) await symlink(join(tree.root, path), join(target, path));
  return stamps;
}

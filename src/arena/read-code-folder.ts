import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { SalvoError } from '../text/salvo-error.ts';

/** The infrastructure code of a folder, and files that were skipped. */
export interface CodeFolder {
  /** By path from the folder, with forward slashes. */
  files: Record<string, string>;
  skipped: { file: string; reason: string }[];
}

const CODE = /\.(?:tf|tofu|tfvars|ya?ml|json|template)$/i;
/** Folders that tools fill. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.terraform', '.salvo', '.aws-sam', 'cdk.out']);
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FILES = 20_000;

/** Reads the Terraform and CloudFormation files under a folder. Links that lead out of the folder are not followed. */
export async function readCodeFolder(folder: string): Promise<CodeFolder> {
  const root = await realpath(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : cause.message;
    throw new SalvoError('FOLDER_UNREADABLE', `${folder} cannot be read: ${reason}.`, { cause });
  });
  if (!(await stat(root)).isDirectory()) {
    throw new SalvoError('FOLDER_UNREADABLE', `${folder} is a file: give the folder that it is in.`);
  }
  const found: CodeFolder = { files: {}, skipped: [] };
  const visited = new Set<string>();
  const waiting = [root];
  let count = 0;
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    if (visited.has(dir)) continue;
    visited.add(dir);
    const entries = await readdir(dir, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      const name = relative(root, path).split(sep).join('/');
      const target = entry.isSymbolicLink() ? await realpath(path).catch(() => null) : path;
      if (target === null || !isInside(target, root)) {
        found.skipped.push({ file: name, reason: 'a link that leads out of the folder' });
        continue;
      }
      const stats = await stat(target);
      if (stats.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) waiting.push(target);
      } else if (stats.isFile() && CODE.test(entry.name)) {
        count += 1;
        if (stats.size > MOST_BYTES) found.skipped.push({ file: name, reason: 'larger than 8 MB' });
        else if (count > MOST_FILES) found.skipped.push({ file: name, reason: `one of more than ${MOST_FILES} files` });
        else found.files[name] = await readFile(target, 'utf8');
      }
    }
  }
  return found;
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorCode, SalvoError } from 'salvo/kit/text';

/** The infrastructure code of a folder, and files that were skipped. */
export interface CodeFolder {
  /** By path from the folder, with forward slashes. */
  files: Record<string, string>;
  skipped: { file: string; reason: string }[];
}

/** Also code that nothing here can read: it must be known that it is there. */
const CODE = /\.(?:tf|tofu|tfvars|ya?ml|json|template|bicep|hcl)$/i;
/** Folders that tools fill. Hidden ones, such as `.terraform`, are skipped as well. */
const SKIPPED_FOLDERS = new Set(['node_modules', 'cdk.out']);
const MOST_FILES = 20_000;
const MOST_BYTES_OF_ALL = 200 * 1024 * 1024;

/** More than any file of code that a person wrote has. */
export const MOST_CODE_BYTES = 8 * 1024 * 1024;
/** Such a file is not part of the code. */
export const LINK_OUT = 'a link that leads out of the folder';
export const TOO_LARGE = 'larger than 8 MB';

/** Reads the infrastructure code under a folder. Links that lead out of the folder are not followed. */
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
  let bytes = 0;
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    if (visited.has(dir)) continue;
    visited.add(dir);
    const entries = await readdir(dir, { withFileTypes: true }).catch((cause: unknown) => {
      found.skipped.push({ file: relative(root, dir) || '.', reason: `unreadable (${errorCode(cause)})` });
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const path = join(dir, entry.name);
      const name = relative(root, path).split(sep).join('/');
      const target = entry.isSymbolicLink() ? await realpath(path).catch(() => null) : path;
      if (target === null || !isInside(target, root)) {
        found.skipped.push({ file: name, reason: LINK_OUT });
        continue;
      }
      const stats = await stat(target);
      if (stats.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) waiting.push(target);
      } else if (stats.isFile() && CODE.test(entry.name)) {
        count += 1;
        const skip = (reason: string) => found.skipped.push({ file: name, reason });
        if (stats.size > MOST_CODE_BYTES) skip(TOO_LARGE);
        else if (count > MOST_FILES) skip(`one of more than ${MOST_FILES} files`);
        else if (bytes + stats.size > MOST_BYTES_OF_ALL) skip('beyond 200 MB of code');
        else {
          const text = await readFile(target, 'utf8').catch((cause: unknown) => {
            skip(`unreadable (${errorCode(cause)})`);
          });
          bytes += stats.size;
          if (text !== undefined) found.files[name] = text;
        }
      }
    }
  }
  return found;
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

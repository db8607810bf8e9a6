import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { errorCode, errorMessage, SalvoError } from 'salvo/kit/text';
import { type CodeFolder, MOST_CODE_BYTES, readCodeFolder, TOO_LARGE } from './read-code-folder.ts';

/** The code of several files and folders as one project. */
export interface GivenCode extends CodeFolder {
  /** The folder that the names of files start from: the nearest one that holds everything. */
  base: string;
}

/** Reads the files that a user names, whatever they are, and the infrastructure code of the folders. */
export async function readCodePaths(paths: readonly string[], { cwd }: { cwd: string }): Promise<GivenCode> {
  const given = await Promise.all(
    paths.map(async (path) => {
      const target = resolve(cwd, path);
      const stats = await stat(target).catch((cause: unknown) => {
        throw unreadable(path, errorCode(cause) === 'ENOENT' ? 'there is no such file or folder' : errorMessage(cause));
      });
      return { path, target, isFolder: stats.isDirectory(), size: stats.size };
    }),
  );
  const base = commonFolder(given.map(({ target, isFolder }) => (isFolder ? target : dirname(target))));
  const code: GivenCode = { base, files: {}, skipped: [] };
  for (const { path, target, isFolder, size } of given) {
    const prefix = relative(base, target).split(sep).join('/');
    if (isFolder) {
      const { files, skipped } = await readCodeFolder(target);
      const placed = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
      for (const [name, text] of Object.entries(files)) code.files[placed(name)] = text;
      code.skipped.push(...skipped.map(({ file, reason }) => ({ file: placed(file), reason })));
    } else {
      if (size > MOST_CODE_BYTES) throw unreadable(path, `it is ${TOO_LARGE}`);
      code.files[prefix] = await readFile(target, 'utf8').catch((cause: unknown) => {
        throw unreadable(path, errorMessage(cause));
      });
    }
  }
  return code;
}

/** The nearest folder that all of these folders are in. */
function commonFolder(folders: readonly string[]): string {
  const [first = '.', ...others] = folders;
  const steps = first.split(sep);
  const common = others.reduce((length, folder) => {
    const other = folder.split(sep);
    const end = steps.slice(0, length).findIndex((step, index) => step !== other[index]);
    return end < 0 ? length : end;
  }, steps.length);
  return join(steps.slice(0, common).join(sep), sep).replace(/(?<=.)[\\/]$/, '');
}

function unreadable(path: string, reason: string): SalvoError {
  return new SalvoError('CODE_UNREADABLE', `${path} cannot be read: ${reason}.`);
}

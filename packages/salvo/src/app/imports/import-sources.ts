import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FORMATS } from '../../imports/formats.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { errorCode, SalvoError } from '../../text/errors/salvo-error.ts';

/** A file to import. */
export interface ImportFile {
  /** `-` is standard input. */
  path: string;
  /** From the folder of the user, with forward slashes. */
  name: string;
  /** It was found in a folder: it may be something else than conversations. */
  isFound: boolean;
}

const ENDINGS = /\.(?:jsonl?|ndjson|traj|eval)(?:\.gz)?$/i;

/** The files that are named, and those with a known ending in the folders that are named, by name. */
export async function importFiles(named: readonly string[], cwd: string): Promise<ImportFile[]> {
  if (named.length === 0) throw new SalvoError('OPTIONS_INVALID', 'Name the files to import, or - for standard input.');
  const found = new Map<string, ImportFile>();
  for (const name of named) {
    const path = name === '-' ? '-' : resolve(cwd, name);
    const stats = path === '-' ? null : await stat(path).catch(() => null);
    const isFolder = stats?.isDirectory() ?? false;
    if (stats === null && FORMATS.some((format) => format.name === name)) throw formatAsFile(name);
    const files = isFolder ? await filesBelow(path) : [path];
    if (files.length === 0) {
      throw new SalvoError(
        'FILE_UNREADABLE',
        `There is no file of JSON in ${name}: no .json, .jsonl, .ndjson, .traj or .eval.`,
      );
    }
    for (const file of files) {
      const shown = isAbsolute(name) ? displayPath(file, cwd) : shownName(file, cwd);
      found.set(file, { path: file, name: file === '-' ? 'standard input' : shown, isFound: isFolder });
    }
  }
  return [...found.values()];
}

function formatAsFile(name: string): SalvoError {
  const message = `There is no file ${name}. Formats are recognised by content: name the files alone, or add {option:format} ${name}.`;
  return new SalvoError('FILE_UNREADABLE', message);
}

/** Relative, so that no result depends on where the folder is. */
function shownName(file: string, cwd: string): string {
  return relative(cwd, file).split(sep).join('/');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw new SalvoError('FILE_UNREADABLE', `This folder cannot be read: ${folder} (${errorCode(cause)}).`, { cause });
  });
  const names = new Set(entries.map(({ name }) => name));
  const files = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        // Links to folders are not followed: they can form cycles.
        if (entry.isDirectory()) return filesBelow(path);
        return ENDINGS.test(entry.name) && !isCompanion(entry.name, names) ? [path] : [];
      }),
  );
  return files.flat().sort();
}

/** Whether the file only tells about another one. */
function isCompanion(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('.meta.json') && names.has(name.replace(/\.meta\.json$/, '.jsonl'));
}

const ANY_ENDING = /\.[a-z]+(?:\.gz)?$/i;

/** That of the only file, or of the folder with all of them. */
export function nameOfFiles(
  files: readonly ImportFile[],
  { files: named, cwd = process.cwd() }: { files: readonly string[]; cwd?: string | undefined },
): string {
  const [first, ...others] = files;
  if (first === undefined || first.path === '-') return 'imported';
  if (others.length === 0) return basename(first.path).replace(ANY_ENDING, '');
  const folder = named.length === 1 ? basename(resolve(cwd, named[0] ?? '')) : '';
  return folder === '' ? 'imported' : folder;
}

/** A hash of the content of files, in their order. */
export async function contentOf(files: readonly { path: string; name: string }[]): Promise<string> {
  const all = createHash('sha256');
  for (const { path, name } of files) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
    all.update(`${JSON.stringify(name)} ${hash.digest('hex')}\n`);
  }
  return all.digest('hex');
}

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../text/salvo-error.ts';
import { type SourceText, sourceText } from '../../text/source-text.ts';
import type { ProblemText } from '../diagnostics/problem.ts';

export type ReadResult = { source: SourceText } | { problem: ProblemText };

const MEGABYTE = 1024 * 1024;

/** The text of a regular UTF-8 file of limited size, or the problem with it. */
export function readSource({ file, name = file }: { file: string; name?: string }): ReadResult {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: { code: 'unreadable-file', message: `${name} is not a regular file` } };
    if (isYaml(file) && stats.size > MEGABYTE) {
      const hint = 'move a long text into its own file: !include text.md';
      return { problem: { code: 'too-large', message: `${name} is larger than 1 MB`, hint } };
    }
    if (stats.size > 10 * MEGABYTE) return { problem: { code: 'too-large', message: `${name} is larger than 10 MB` } };
    return decode({ file, name, bytes: readFileSync(file) });
  } catch (error) {
    return { problem: explain(error, name) };
  }
}

/** Like `readSource`, for a file named in another file. Nothing outside `root` is read, not even through symlinks. */
export function readInsideRoot({ file, name, root }: { file: string; name: string; root: string }): ReadResult {
  const outside = {
    problem: {
      code: 'outside-project',
      message: `${name} is outside the project`,
      hint: `only files below ${root} can be included`,
    } as const,
  };
  try {
    const realRoot = realpathSync(root);
    // Checked before the file system is asked: a scenario must not learn which files exist outside.
    if (!isInside(resolve(root), resolve(file)) && !isInside(realRoot, resolve(file))) return outside;
    if (!isInside(realRoot, realpathSync(file))) return outside;
  } catch (error) {
    return { problem: explain(error, name) };
  }
  return readSource({ file, name });
}

/** Whether the file is read as data; any other file is read as a string. */
export function isYaml(file: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(file).toLowerCase());
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function decode({ file, name, bytes }: { file: string; name: string; bytes: Uint8Array }): ReadResult {
  try {
    // The decoder drops a byte order mark.
    return { source: sourceText({ file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }) };
  } catch {
    return { problem: { code: 'invalid-encoding', message: `${name} is not UTF-8`, hint: 'save it as UTF-8' } };
  }
}

function explain(error: unknown, name: string): ProblemText {
  const reason = errorCode(error) ?? String(error);
  if (reason === 'ENOENT' || reason === 'ENOTDIR') return { code: 'missing-file', message: `${name} does not exist` };
  return { code: 'unreadable-file', message: `${name} cannot be read (${reason})` };
}

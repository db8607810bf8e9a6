import { realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../text/errors/salvo-error.ts';
import { readLimitedSync } from '../../text/read-limited.ts';
import { type SourceText, sourceText } from '../../text/source-text.ts';
import type { ProblemText } from '../diagnostics/problem.ts';

export type ReadResult = { source: SourceText } | { problem: ProblemText };

const MEGABYTE = 1024 * 1024;
/** A state document may be large, and JSON is read fast. */
const MOST_JSON_MEGABYTES = 64;

/** The text of a regular UTF-8 file of limited size, or the problem with it. */
function readSource({ file, name = file, mostMegabytes }: Omit<FileInRoot, 'root'>): ReadResult {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: { code: 'unreadable-file', message: `${name} is not a regular file` } };
    const most = mostMegabytes ?? (isJson(file) ? MOST_JSON_MEGABYTES : isYaml(file) ? 1 : 10);
    const bytes = readLimitedSync(file, most * MEGABYTE);
    if (bytes) return decode({ file, name, bytes });
    const isScenario = isYaml(file) && mostMegabytes === undefined;
    const hint = isScenario ? 'move a long text into its own file: !include text.md' : undefined;
    return { problem: { code: 'too-large', message: `${name} is larger than ${most} MB`, hint } };
  } catch (error) {
    return { problem: explain(error, name) };
  }
}

export interface FileInRoot {
  file: string;
  /** As the user wrote it. */
  name: string;
  /** The folder that it must be in. */
  root: string;
  /** Default: 1 for YAML, 64 for JSON, 10 for other files. */
  mostMegabytes?: number | undefined;
}

/** Like `readSource`, for a file named in another file. Nothing outside `root` is read, not even through symlinks. */
export function readInsideRoot(reference: FileInRoot): ReadResult {
  const problem = outsideProblem(reference);
  return problem ? { problem } : readSource(reference);
}

/** The problem of a file outside `root`, also through symlinks; null for one inside, and for one that is not there. */
export function outsideProblem({ file, name, root }: FileInRoot): ProblemText | null {
  const outside = {
    code: 'outside-project',
    message: `${name} is outside the project`,
    hint: `only files below ${root} are read; \`allow_outside: true\` in salvo.yaml allows others`,
  } as const;
  try {
    const realRoot = realpathSync(root);
    // Checked before the file system is asked: a scenario must not learn which files exist outside.
    if (!isInside(resolve(root), resolve(file)) && !isInside(realRoot, resolve(file))) return outside;
    return isInside(realRoot, realpathSync(file)) ? null : outside;
  } catch {
    return null;
  }
}

/** Like `readSource`, for a file that the user chose. A link inside `root` must not lead out of it. */
export function readChosen(reference: FileInRoot): ReadResult {
  return isInside(resolve(reference.root), resolve(reference.file)) ? readInsideRoot(reference) : readSource(reference);
}

/** Whether the file is read as data; any other file is read as a string. */
export function isYaml(file: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(file).toLowerCase());
}

export function isJson(file: string): boolean {
  return extname(file).toLowerCase() === '.json';
}

/** Whether the file is below the folder, or the folder itself. */
export function isInside(folder: string, file: string): boolean {
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

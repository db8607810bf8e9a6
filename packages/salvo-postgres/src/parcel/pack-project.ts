import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve } from 'node:path';
import { isInside, projectEnv } from 'salvo/kit/app';
import { projectSecrets } from 'salvo/kit/project';
import type { WorkQueue } from 'salvo/kit/queue';
import { DiagnosticsError, type Project } from 'salvo/kit/scenario';
import { compareNames, errorMessage, isAllCodeRefused, refuseUnpermitted, SalvoError } from 'salvo/kit/text';
import { credentialSearch, type KnownSecret } from './find-credentials.ts';
import { type Need, type NeededFiles, neededFiles, slashes } from './needed-files.ts';
import { type CodeToAllow, codeOf, fileHash, type Parcel, parcelBytes } from './parcel-document.ts';
import { clashingPath, parcelPathProblem } from './parcel-path.ts';
import { settingsForWorkers } from './settings-for-workers.ts';

export interface PackedProject {
  /** The hash by which workers get it: that of its list of files. */
  hash: string;
  parcel: Parcel;
  /** What the owner of a worker has to allow; null if it has no code. */
  code: CodeToAllow | null;
  /** By their hash; the list of files is one of them. */
  contents: Map<string, Uint8Array>;
}

const MEGABYTE = 1024 * 1024;
const MOST_BYTES_OF_A_FILE = 64 * MEGABYTE;
const MOST_BYTES = 256 * MEGABYTE;
const MOST_FILES = 10_000;

/**
 * Everything of a project that the jobs of a run or an experiment need on a machine without this disk. Throws if a
 * file contains a credential, is too large, or changes meanwhile.
 */
export async function packProject(need: Need & { env: Record<string, string | undefined> }): Promise<PackedProject> {
  const { project, cwd, env } = need;
  const needed = await neededFiles(need);
  // With --no-code, workers do not even receive what this process refuses.
  for (const { name, command } of isAllCodeRefused() ? needed.code : []) {
    refuseUnpermitted(command ? { command: command.words, cwd: project.root, env: command.env } : { module: name });
  }
  const contents = await readAll(project, needed);
  refuseCredentials(contents, { project, env });
  const root = commonFolder([project.root, ...contents.keys()]);
  const pathOf = (file: string) => slashes(relative(root, file));
  const executable = new Set(needed.code.filter(({ what }) => what === 'command').flatMap(({ files }) => [...files]));
  const files = [...contents].map(([file, { content, mode }]) => ({
    path: pathOf(file),
    hash: fileHash(content),
    size: content.length,
    executable: executable.has(file) && (mode & 0o100) !== 0,
  }));
  refuseNames(files.map(({ path }) => path));
  const parcel: Parcel = {
    project: pathOf(project.root),
    cwd: isInside(root, cwd) ? pathOf(cwd) : pathOf(project.root),
    files: files.sort((a, b) => compareNames(a.path, b.path)),
    data: [...needed.data].map(pathOf).sort(compareNames),
    code: needed.code.map(({ what, name, command, files: own }) => ({
      what,
      name: what === 'command' ? name : slashes(relative(project.root, name)),
      command,
      files: [...own].map(pathOf).sort(compareNames),
    })),
  };
  const { hash, content } = parcelBytes(parcel);
  const byHash = new Map([...contents.values()].map((each) => [fileHash(each.content), each.content]));
  return { hash, parcel, code: codeOf(parcel), contents: byHash.set(hash, content) };
}

const BYTES_AT_ONCE = 8 * MEGABYTE;

/** Sends what the queue does not have yet. Most files are the same in every run. */
export async function sendParcel(
  { contents }: Pick<PackedProject, 'contents'>,
  queue: Pick<WorkQueue, 'missingFiles' | 'saveFiles'>,
): Promise<void> {
  let batch: { hash: string; content: Uint8Array }[] = [];
  let bytes = 0;
  for (const hash of await queue.missingFiles([...contents.keys()])) {
    const content = contents.get(hash);
    if (!content) continue;
    batch.push({ hash, content });
    bytes += content.length;
    if (bytes < BYTES_AT_ONCE) continue;
    await queue.saveFiles(batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) await queue.saveFiles(batch);
}

interface Packed {
  content: Uint8Array;
  mode: number;
}

/** By absolute path. salvo.yaml is always among it: without one, a worker would look for it in the folders above. */
async function readAll(project: Project, { files, instead, adapters }: NeededFiles): Promise<Map<string, Packed>> {
  const settings = settingsForWorkers(project, new Set(adapters.map(({ name }) => name)));
  const packed = new Map([[join(project.root, 'salvo.yaml'), { content: settings, mode: 0 } as Packed]]);
  if (files.size > MOST_FILES) {
    throw new SalvoError(
      'PARCEL_TOO_LARGE',
      `The run needs ${files.size} files, and at most ${MOST_FILES} travel to workers. Name fewer in workers.files of salvo.yaml.`,
    );
  }
  let total = settings.length;
  for (const file of files) {
    if (file === project.file) continue;
    const content = instead.get(file);
    const read = content ? { content, mode: 0 } : await readUnchanged(file);
    packed.set(file, read);
    total += read.content.length;
    if (total > MOST_BYTES) throw tooMuch(packed, project);
  }
  return packed;
}

/** The content of a file that is not written to while it is read. */
async function readUnchanged(file: string): Promise<Packed> {
  try {
    await using handle = await open(file);
    const before = await handle.stat({ bigint: true });
    if (before.size > MOST_BYTES_OF_A_FILE) throw tooLarge(file, Number(before.size));
    const content = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    if (before.mtimeNs === after.mtimeNs && BigInt(content.length) === after.size) {
      return { content, mode: Number(after.mode) };
    }
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${errorMessage(cause)}.`, { cause });
  }
  throw new SalvoError(
    'FILE_CHANGED',
    `${file} changed while it was read. Start the run again when nothing writes to it.`,
  );
}

function tooLarge(file: string, size: number): SalvoError {
  const message = `${file} has ${megabytes(size)}, and a file of at most ${megabytes(MOST_BYTES_OF_A_FILE)} travels to workers. Make it smaller, or put it where each worker has it.`;
  return new SalvoError('PARCEL_TOO_LARGE', message);
}

function tooMuch(packed: ReadonlyMap<string, Packed>, project: Project): SalvoError {
  const largest = [...packed].sort(([, a], [, b]) => b.content.length - a.content.length).slice(0, 3);
  const list = largest.map(
    ([file, { content }]) => `${slashes(relative(project.root, file))} (${megabytes(content.length)})`,
  );
  const message = `The files of this run have more than ${megabytes(MOST_BYTES)}, which is the most that travels to workers. The largest: ${list.join(', ')}.`;
  return new SalvoError('PARCEL_TOO_LARGE', message);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / MEGABYTE)} MB`;
}

function refuseCredentials(
  contents: ReadonlyMap<string, Packed>,
  { project, env }: { project: Project; env: Record<string, string | undefined> },
): void {
  const { root, config } = project;
  const patterns = config.workers.invented_secrets;
  const search = credentialSearch(knownSecrets(project, env));
  const found = [...contents].flatMap(([file, { content }]) => {
    const path = slashes(relative(root, file));
    const isInvented = patterns.some((pattern) => matchesGlob(path, slashes(join('.', pattern))));
    const inContent = search({ file, content, isInvented });
    if (inContent.length === 0 || project.file === null || file !== join(root, 'salvo.yaml')) return inContent;
    // Workers get other text than what the user wrote. The place has to be in what the user wrote.
    const written = search({ file: project.file, content: readFileSync(project.file), isInvented });
    return written.length > 0 ? written : inContent;
  });
  if (found.length > 0) throw new DiagnosticsError(found);
}

function knownSecrets(project: Project, env: Record<string, string | undefined>): KnownSecret[] {
  const variables = Object.entries(projectEnv(project, env));
  return projectSecrets(project, env).map((value) => ({
    value,
    variable: variables.find(([, other]) => other?.trim() === value.trim())?.[0] ?? null,
  }));
}

function refuseNames(paths: readonly string[]): void {
  for (const path of paths) {
    const problem = parcelPathProblem(path);
    if (problem)
      throw new SalvoError('PARCEL_PATH_INVALID', `${path} cannot be sent to workers: ${problem}. Rename it.`);
  }
  const clash = clashingPath(paths);
  if (clash === null) return;
  const message = `${clash} cannot be sent to workers: another file has the same name in other letters. Rename one of them.`;
  throw new SalvoError('PARCEL_PATH_INVALID', message);
}

function commonFolder(paths: readonly string[]): string {
  const [first = '.', ...others] = paths;
  let folder = resolve(first);
  for (const path of others) while (!isInside(folder, path)) folder = resolve(folder, '..');
  return folder;
}

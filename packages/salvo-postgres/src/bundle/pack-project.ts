import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve } from 'node:path';
import { isInside, projectEnv } from 'salvo/kit/app';
import { packageVersion, projectSecrets } from 'salvo/kit/project';
import type { WorkQueue } from 'salvo/kit/queue';
import { DiagnosticsError, isPluginPackage, type Project } from 'salvo/kit/scenario';
import { compareNames, errorMessage, isAllCodeRefused, refuseUnpermitted, SalvoError } from 'salvo/kit/text';
import { type Bundle, bundleBytes, type CodeToAllow, codeOf, fileHash, looksLikeCode } from './bundle-document.ts';
import { bundlePathProblem, clashingPath } from './bundle-path.ts';
import { credentialSearch, type KnownSecret } from './find-credentials.ts';
import { type Need, neededFiles } from './needed-files.ts';
import { projectFiles, slashes } from './project-files.ts';
import { settingsForWorkers } from './settings-for-workers.ts';

export interface PackedProject {
  /** The hash by which workers get it: that of its list of files. */
  hash: string;
  bundle: Bundle;
  /** What the owner of a worker has to allow; null if it has no code. */
  code: CodeToAllow | null;
  /** By their hash; the list of files is one of them. */
  contents: Map<string, Uint8Array>;
}

const MEGABYTE = 1024 * 1024;
const MOST_BYTES_OF_A_FILE = 64 * MEGABYTE;
const MOST_BYTES = 256 * MEGABYTE;
const MOST_FILES = 10_000;
const LEAVE_OUT = 'name it under `workers: { exclude: [...] }` in salvo.yaml';

/**
 * The files of a project for machines without this disk. A run that executes no code takes none along, so that any worker
 * may take it. Throws if a file contains a credential, is too large, or changes meanwhile.
 */
export async function packProject(need: Need & { env: Record<string, string | undefined> }): Promise<PackedProject> {
  const { project, cwd, env } = need;
  const { files, data, ofCode, code, adapters } = neededFiles(need);
  // With --no-code, workers do not even receive what this process refuses.
  for (const { name, command } of isAllCodeRefused() ? code : []) {
    refuseUnpermitted(command ? { command: command.words, cwd: project.root, env: command.env } : { module: name });
  }
  const others = [...(await projectFiles(project))].filter((file) => code.length > 0 || !looksLikeCode(file));
  const contents = await readAll(project, { files: new Set([...files, ...others]), adapters });
  refuseCredentials(contents, { project, env });
  const root = commonFolder([project.root, ...contents.keys()]);
  const pathOf = (file: string) => slashes(relative(root, file));
  const isUnhashed = (file: string) =>
    (data.has(file) || /\.(?:md|markdown)$/i.test(file)) && !ofCode.has(file) && !looksLikeCode(file);
  const hasCommand = code.some(({ command }) => command !== null);
  const packed = [...contents].map(([file, { content, mode }]) => ({
    path: pathOf(file),
    hash: fileHash(content),
    size: content.length,
    executable: hasCommand && (mode & 0o100) !== 0 && !isUnhashed(file),
  }));
  refuseNames(packed.map(({ path }) => path));
  const bundle: Bundle = {
    project: pathOf(project.root),
    cwd: isInside(root, cwd) ? pathOf(cwd) : pathOf(project.root),
    files: packed.sort((a, b) => compareNames(a.path, b.path)),
    unhashed: [...contents.keys()].filter(isUnhashed).map(pathOf).sort(compareNames),
    code: code.map(({ what, name, command }) => ({
      what,
      name: command ? name : slashes(relative(project.root, name)),
      command,
    })),
    packages: pluginPackages(project),
  };
  const { hash, content } = bundleBytes(bundle);
  const byHash = new Map([...contents.values()].map((each) => [fileHash(each.content), each.content]));
  return { hash, bundle, code: codeOf(bundle), contents: byHash.set(hash, content) };
}

function pluginPackages({ root, config }: Project): Bundle['packages'] {
  const versions = config.plugins.filter(isPluginPackage).flatMap((name) => {
    const version = packageVersion(name, join(root, 'salvo.yaml'));
    return version === undefined ? [] : [[name, version] as const];
  });
  return Object.fromEntries(versions);
}

/** Sends what the queue does not have yet. Most files are the same in every run. */
export async function sendBundle(
  { contents }: Pick<PackedProject, 'contents'>,
  queue: Pick<WorkQueue, 'missingFiles' | 'saveFiles'>,
): Promise<void> {
  const missing = new Set(await queue.missingFiles([...contents.keys()]));
  const files = [...contents].map(([hash, content]) => ({ hash, content }));
  await queue.saveFiles(files.filter(({ hash }) => missing.has(hash)));
}

interface Packed {
  content: Uint8Array;
  mode: number;
}

/** By absolute path. salvo.yaml is always among it: without one, a worker would look for it in the folders above. */
async function readAll(
  project: Project,
  { files, adapters }: { files: ReadonlySet<string>; adapters: ReadonlySet<string> },
): Promise<Map<string, Packed>> {
  const settings = settingsForWorkers(project, adapters);
  const packed = new Map([[join(project.root, 'salvo.yaml'), { content: settings, mode: 0 } as Packed]]);
  refuseTooLarge(files, project);
  for (const file of files) if (file !== project.file) packed.set(file, await readUnchanged(file));
  return packed;
}

/** The content of a file that is not written to while it is read. */
async function readUnchanged(file: string): Promise<Packed> {
  try {
    await using handle = await open(file);
    const before = await handle.stat({ bigint: true });
    const content = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    if (before.mtimeNs === after.mtimeNs && BigInt(content.length) === after.size) {
      return { content, mode: Number(after.mode) };
    }
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError(
      'FILE_UNREADABLE',
      `${file} cannot be read: ${errorMessage(cause)}. If workers do not need it, ${LEAVE_OUT}.`,
      { cause },
    );
  }
  throw new SalvoError(
    'FILE_CHANGED',
    `${file} changed while it was read. Start the run again when nothing writes to it; if workers do not need it, ${LEAVE_OUT}.`,
  );
}

/** Asked before anything is read: a project may have more than fits into the memory. */
function refuseTooLarge(files: ReadonlySet<string>, { root }: Project): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const all = [...files].map((file) => ({ path: slashes(relative(root, file)), bytes: sizeOf(file) }));
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = all.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const refuse = (what: string, list: string[]) => {
    const advice = 'Name what workers do not need under `workers: { exclude: [...] }` in salvo.yaml.';
    throw new SalvoError('BUNDLE_TOO_LARGE', `${what} to workers. The largest: ${list.join(', ')}. ${advice}`);
  };
  if (all.length > MOST_FILES) {
    const folders = [...Map.groupBy(all, ({ path }) => path.split('/', 1)[0])];
    const most = folders.sort(([, a], [, b]) => b.length - a.length).slice(0, 5);
    const list = most.map(([name, { length }]) => `${name} (${length})`);
    refuse(`The project has ${all.length} files, and at most ${MOST_FILES} travel`, list);
  }
  const list = largest.map(({ path, bytes }) => `${path} (${megabytes(bytes)})`);
  const of = (bytes: number, most: number) => `has ${megabytes(bytes)}, and at most ${megabytes(most)}`;
  if (total > MOST_BYTES) refuse(`The project ${of(total, MOST_BYTES)} travel`, list);
  const [{ path, bytes } = { path: '', bytes: 0 }] = largest;
  if (bytes > MOST_BYTES_OF_A_FILE) refuse(`${path} ${of(bytes, MOST_BYTES_OF_A_FILE)} of a file travel`, list);
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
  const refuse = (path: string, problem: string, which: string) => {
    const message = `${path} cannot be sent to workers: ${problem}. Rename ${which}, or ${LEAVE_OUT}.`;
    throw new SalvoError('BUNDLE_PATH_INVALID', message);
  };
  for (const path of paths) {
    const problem = bundlePathProblem(path);
    if (problem) refuse(path, problem, 'it');
  }
  const clash = clashingPath(paths);
  if (clash !== null) refuse(clash, 'another file has the same name in other letters', 'one of them');
}

function commonFolder(paths: readonly string[]): string {
  const [first = '.', ...others] = paths;
  let folder = resolve(first);
  for (const path of others) while (!isInside(folder, path)) folder = resolve(folder, '..');
  return folder;
}

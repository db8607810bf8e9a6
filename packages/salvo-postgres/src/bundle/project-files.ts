import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import ignore, { type Ignore } from 'ignore';
import { isInside, isInstalled } from 'salvo/kit/app';
import type { Project } from 'salvo/kit/scenario';
import { SalvoError } from 'salvo/kit/text';

/**
 * The files of a project, absolute: those that git tracks or would track, and those that `workers: { files }` of
 * salvo.yaml adds. Without git, those that no .gitignore leaves out.
 */
export async function projectFiles(project: Project): Promise<Set<string>> {
  const { root } = project;
  const whyKept = keptBack(project);
  const listed = (await gitFiles(root)) ?? (await filesBelow(root, rulesAbove(root)));
  const realRoot = realpathSync(root);
  const isOwn = (file: string) => !lstatSync(file).isSymbolicLink() || isInside(realRoot, realpathSync(file));
  const found = listed.filter((file) => whyKept(file) === null && isFile(file) && isOwn(file));
  return new Set([...found, ...(await filesAsked(project, whyKept))]);
}

/** Tells why a file never leaves this machine; null if it may. */
export type WhyKept = (file: string) => string | null;

export function keptBack({ root, config }: Project): WhyKept {
  const excluded = ignore().add(config.workers.exclude);
  return (file) => {
    const name = basename(file).toLowerCase();
    if (name.startsWith('.env') || name === '.npmrc' || name === '.netrc') return 'it is a file for credentials';
    if (config.env_file !== undefined && file === resolve(root, config.env_file)) return 'it is env_file of salvo.yaml';
    if (isInstalled(file)) return 'it belongs to a package, to git or to Salvo';
    if (isInside(resolve(root, config.storage_dir), file)) return 'it is in storage_dir';
    const isExcluded = isInside(root, file) && excluded.ignores(slashes(relative(root, file)));
    return isExcluded ? 'workers.exclude in salvo.yaml leaves it out' : null;
  };
}

const LIST = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
/** A hook of git sets these for its own repository. */
const OF_HOOKS = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/**
 * Null if git is not installed or does not know the folder, and if it ignores all of it. The setting keeps git from
 * executing a program that the repository names.
 */
async function gitFiles(folder: string): Promise<string[] | null> {
  const options = { cwd: folder, env: { ...process.env, ...OF_HOOKS }, maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('git', LIST, options).catch(() => ({ stdout: '' }));
  if (stdout === '') return null;
  const paths = new Set(stdout.split('\0').filter((path) => path !== ''));
  const found = [...paths].map(async (path) => {
    const file = resolve(folder, path);
    // Another repository in this one, such as a submodule, is listed as a folder.
    const isNested = lstatSync(file, { throwIfNoEntry: false })?.isDirectory();
    return isNested ? ((await gitFiles(file)) ?? []) : [file];
  });
  return (await Promise.all(found)).flat();
}

interface IgnoreRules {
  folder: string;
  rules: Ignore;
}

function rulesIn(folder: string): IgnoreRules[] {
  const file = join(folder, '.gitignore');
  return isFile(file) ? [{ folder, rules: ignore().add(readFileSync(file, 'utf8')) }] : [];
}

/** The rules of the folders above, up to that of the repository, unless they leave out the whole folder. */
function rulesAbove(root: string): IgnoreRules[] {
  const repository = findAbove(root, '.git');
  const all: IgnoreRules[] = [];
  for (let folder = root; repository !== null && folder !== dirname(repository); ) {
    folder = dirname(folder);
    all.push(...rulesIn(folder));
  }
  return isIgnored(root, { isFolder: true, all }) ? [] : all;
}

/** The files below a folder that neither these rules nor a .gitignore in it leave out. */
async function filesBelow(folder: string, above: readonly IgnoreRules[]): Promise<string[]> {
  const all = [...rulesIn(folder), ...above];
  const found: string[] = [];
  // As git does, it passes over a folder that it may not read.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (isInstalled(`${path}/`) || isIgnored(path, { isFolder: entry.isDirectory(), all })) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(path, all)));
    else found.push(path);
  }
  return found;
}

/** The nearest .gitignore that says something about a path decides. */
function isIgnored(path: string, { isFolder, all }: { isFolder: boolean; all: readonly IgnoreRules[] }): boolean {
  for (const { folder, rules } of all) {
    const { ignored, unignored } = rules.test(`${slashes(relative(folder, path))}${isFolder ? '/' : ''}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** `workers: { files }` of salvo.yaml. A pattern that matches nothing is an error. */
async function filesAsked(project: Project, whyKept: WhyKept): Promise<string[]> {
  const { root, config } = project;
  const found: string[] = [];
  for (const pattern of config.workers.files) {
    const before = found.length;
    for await (const match of glob(pattern, { cwd: root, exclude: (name) => isInstalled(`/${name}/`) })) {
      const file = resolve(root, match);
      if (isFile(file) && whyKept(file) === null) found.push(file);
    }
    if (found.length > before) continue;
    const message = `workers.files in salvo.yaml has ${JSON.stringify(pattern)}, which matches no file that may travel. It is relative to ${root}.`;
    throw new SalvoError('BUNDLE_FILES_MISSING', message);
  }
  return found;
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

/** The nearest file or folder of this name, from a folder upwards. */
export function findAbove(start: string, name: string): string | null {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return null;
  }
}

export function slashes(path: string): string {
  return path.replaceAll(sep, '/');
}

import { readFileSync, realpathSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isPackageName, splitCommandLine } from 'salvo/kit/adapters';
import { fileWithNamed, isInside, isInstalled, type NamedFile, ownFilesOfCommand, type WorkNeeds } from 'salvo/kit/app';
import { filesOfCases } from 'salvo/kit/project';
import { DiagnosticsError, diagnosticInFile, isCodeFile, type Project } from 'salvo/kit/scenario';
import { SalvoError, shellQuote, textLines } from 'salvo/kit/text';
import { type AdapterInUse, adaptersInUse } from './adapters-in-use.ts';
import { type PackageScope, packageScopeOf } from './package-scope.ts';
import { looksLikeCode, type ParcelCode } from './parcel-document.ts';

/** What work needs of a project. */
export interface Need {
  project: Project;
  needs: WorkNeeds;
  /** The folder of the user. */
  cwd: string;
  /** Further files, absolute. */
  files?: readonly string[] | undefined;
}

export interface NeededFiles {
  /** Absolute. */
  files: Set<string>;
  /** Of the whole file only this part is needed, or something else in its place. */
  instead: Map<string, Uint8Array>;
  /** Those that `data:` of a scenario names. */
  data: Set<string>;
  code: NeededCode[];
  adapters: AdapterInUse[];
}

interface NeededCode extends Omit<ParcelCode, 'files' | 'name'> {
  /** A command line, or the absolute path of a file. */
  name: string;
  files: Set<string>;
}

/** Every file that the jobs need, found without running anything. */
export async function neededFiles(need: Need): Promise<NeededFiles> {
  const { project, cwd } = need;
  const { entries = [], adapters: named = [], commands = [] } = need.needs;
  const { root, config } = project;
  const accept = acceptance(project);
  const files = new Set<string>();
  const scenarios = new Set(entries.map(({ loaded }) => loaded.file));
  const data = new Set<string>();
  const code: NeededCode[] = [];
  const addFile = (file: string) => {
    if (files.has(file)) return;
    // What is there already was followed, and a thousand scenarios include the same files.
    const isNew = (named: NamedFile) => {
      if (named.isData && scenarios.has(named.from.file) && accept(named)) data.add(named.file);
      return !files.has(named.file) && accept(named);
    };
    for (const each of fileWithNamed(file, { root, accept: isNew })) files.add(each);
  };
  const addCode = (
    what: NeededCode['what'],
    name: string,
    of: readonly string[],
    command: NeededCode['command'] = null,
  ) => {
    const isSame = (each: NeededCode) => each.what === what && each.name === name;
    if (code.some((each) => isSame(each) && isDeepStrictEqual(each.command, command))) return;
    for (const file of of) addFile(file);
    const isCode = (named: NamedFile) =>
      looksLikeCode(named.file) || (named.how === 'reference' && looksLikeCode(named.from.file));
    const own = of.flatMap((file) => [
      ...fileWithNamed(file, { root, accept: (each) => isCode(each) && accept(each) }),
    ]);
    code.push({ what, name, command, files: new Set(own) });
  };
  const addCommand = (words: string[], folder: string, env: string[]) => {
    for (const word of words) if (isAbsolute(word) && isInside(root, word)) travelling(word, root);
    const own = ownFilesOfCommand(words, { folder, root });
    const command = { words, cwd: slashes(relative(root, folder)), env };
    const travel = own.filter((file) => whyKept(file, project) === null);
    addCode('command', words.map(shellQuote).join(' '), travel, command);
  };

  for (const plugin of config.plugins) addCode('plugin', travelling(plugin, root), [resolve(root, plugin)]);
  if (config.hooks !== undefined) addCode('hooks', travelling(config.hooks, root), [resolve(root, config.hooks)]);
  for (const file of scenarios) {
    if (isCodeFile(file)) addCode('scenario', file, [file]);
    else addFile(file);
  }
  for (const { file, what } of filesOfCases(entries)) {
    if (what === 'assertion') addCode('assertion', file, [file]);
    else addFile(file);
  }
  const adapters = adaptersInUse({ project, entries, named, files });
  for (const { options } of adapters) {
    if (options.type === 'module') addCode('module', travelling(options.path, root), [resolve(root, options.path)]);
    if (options.type === 'exec') {
      const words = typeof options.command === 'string' ? splitCommandLine(options.command) : options.command;
      addCommand(words, resolve(root, options.cwd ?? '.'), options.env ?? []);
    }
    if (options.type === 'ai-sdk' && !isPackageName(options.package)) {
      addCode('module', travelling(options.package, root), [resolve(root, options.package)]);
    }
    if (options.type === 'llama') refuseModelFile(options.model_path);
  }
  for (const command of commands) addCommand(splitCommandLine(command), cwd, []);
  for (const file of [...(need.files ?? []), ...(await filesAsked(project))]) addFile(file);

  const known = new Set(code.flatMap((each) => [...each.files]));
  for (const file of files) if (looksLikeCode(file) && !known.has(file)) addCode('file', file, [file]);
  const instead = new Map<string, Uint8Array>();
  addScopes(code, { files, instead });
  return { files, instead, data, code, adapters };
}

/** The package.json of modules is part of their code: it decides how they are loaded, and what `#name` means. */
function addScopes(code: readonly NeededCode[], { files, instead }: Pick<NeededFiles, 'files' | 'instead'>): void {
  const scopes = new Map<string, PackageScope | null>();
  for (const each of code) {
    for (const file of [...each.files]) {
      const folder = dirname(file);
      const key = `${folder} ${extname(file)}`;
      const scope = scopes.has(key) ? scopes.get(key) : packageScopeOf(file);
      scopes.set(key, scope ?? null);
      if (!scope) continue;
      each.files.add(scope.file);
      // Code that imports its package.json needs all of it.
      if (!files.has(scope.file)) instead.set(scope.file, scope.content);
    }
  }
  for (const file of instead.keys()) files.add(file);
}

/** What is written in a file travels if it is a file of the project, or if Salvo or Node surely reads it. */
function acceptance(project: Project): (named: NamedFile) => boolean {
  const { root, config } = project;
  const realRoot = realpathSync(root);
  return (named) => {
    const { file, how, written, from } = named;
    const kept = whyKept(file, project);
    if (how === 'mention') return kept === null && isInside(root, file) && isInside(realRoot, realpathSync(file));
    if (!isInside(root, file) && !looksLikeCode(from.file) && !config.allow_outside) return false;
    if (isAbsolute(written)) {
      const message = `${written} is an absolute path, which another machine does not have`;
      throw refusedAt(named, message, 'write it relative to this file');
    }
    if (kept !== null) {
      const message = `${written} does not travel to workers: ${kept}`;
      throw refusedAt(named, message, 'move what workers need into another file');
    }
    return true;
  };
}

/** Why a file never leaves this machine; null if it may. */
function whyKept(file: string, { root, config }: Project): string | null {
  const name = basename(file).toLowerCase();
  if (name.startsWith('.env') || name === '.npmrc' || name === '.netrc') return 'it is a file for credentials';
  if (config.env_file !== undefined && file === resolve(root, config.env_file)) return 'it is env_file of salvo.yaml';
  if (isInstalled(file)) return 'it belongs to a package, to git or to Salvo';
  if (isInside(resolve(root, config.storage_dir), file)) return 'it is in storage_dir';
  return null;
}

/** `workers: { files }` of salvo.yaml. A pattern that matches nothing is an error. */
async function filesAsked(project: Project): Promise<string[]> {
  const { root, config } = project;
  const found: string[] = [];
  for (const pattern of config.workers.files) {
    let count = 0;
    for await (const match of glob(pattern, { cwd: root, exclude: (name) => isInstalled(`/${name}/`) })) {
      const file = resolve(root, match);
      if (!(await stat(file).catch(() => null))?.isFile() || whyKept(file, project) !== null) continue;
      count += 1;
      found.push(file);
    }
    if (count > 0) continue;
    const message = `workers.files in salvo.yaml has ${JSON.stringify(pattern)}, which matches no file that may travel. It is relative to ${root}.`;
    throw new SalvoError('PARCEL_FILES_MISSING', message);
  }
  return found;
}

/** A path of salvo.yaml or of the command line, as it can be used on another machine. */
function travelling(path: string, root: string): string {
  if (!isAbsolute(path)) return resolve(root, path);
  const message = `${path} is an absolute path, which another machine does not have. Name it relative to salvo.yaml, or to where you are.`;
  throw new SalvoError('PARCEL_PATH_INVALID', message);
}

function refuseModelFile(path: string): void {
  if (isAbsolute(path)) return;
  const message = `The model file ${path} does not travel to workers: it is too large. Give an absolute model_path, at which each worker has the file.`;
  throw new SalvoError('PARCEL_PATH_INVALID', message);
}

function refusedAt({ from }: NamedFile, message: string, hint: string): DiagnosticsError {
  const problem = { code: 'outside-project', message, hint } as const;
  const place = { file: from.file, ...placeOf(from) };
  return new DiagnosticsError([diagnosticInFile(place, problem)]);
}

function placeOf({ file, offset }: NamedFile['from']): { line: number; column: number } {
  const lines = textLines(readFileSync(file, 'utf8'));
  return { line: lines.line(offset), column: lines.column(offset) };
}

export function slashes(path: string): string {
  return path.replaceAll(sep, '/');
}

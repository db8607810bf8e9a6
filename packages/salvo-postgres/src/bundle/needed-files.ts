import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  adapterOptionsOf,
  isPackageName,
  type MadeOptions,
  registeredAdapters,
  splitCommandLine,
} from 'salvo/kit/adapters';
import {
  fileWithNamed,
  isInside,
  mentionsWord,
  type NamedFile,
  ownFilesOfCommand,
  type WorkNeeds,
} from 'salvo/kit/app';
import { scenarioJudges } from 'salvo/kit/judge';
import { environmentOfCases, filesOfCases } from 'salvo/kit/project';
import { DiagnosticsError, diagnosticInFile, isCodeFile, isPluginPackage, type Project } from 'salvo/kit/scenario';
import { SalvoError, shellQuote, textLines } from 'salvo/kit/text';
import { type BundleCode, looksLikeCode } from './bundle-document.ts';
import { findAbove, keptBack, slashes, type WhyKept } from './project-files.ts';

/** What work needs of a project. */
export interface Need {
  project: Project;
  needs: WorkNeeds;
  /** The folder of the user. */
  cwd: string;
}

/** What scenarios, settings and commands name: without it, no trial could begin. Wherever it is, it travels. */
export interface NeededFiles {
  /** Absolute, with all that they include or import. */
  files: Set<string>;
  /** Those of `files` that `data:` or `files:` of a scenario names. */
  data: Set<string>;
  /** Those of `files` that code consists of, or imports. */
  ofCode: Set<string>;
  /** What Salvo executes. The name of what is no command is an absolute path. */
  code: BundleCode[];
  /** The names of adapters of salvo.yaml that may be called. The others do not travel, and need not be allowed. */
  adapters: Set<string>;
}

export function neededFiles({ project, cwd, needs }: Need): NeededFiles {
  const { entries = [], commands = [] } = needs;
  const { root, config } = project;
  const whyKept = keptBack(project);
  const scenarios = new Set(entries.map(({ loaded }) => loaded.file));
  const needed: NeededFiles = { files: new Set(), data: new Set(), ofCode: new Set(), code: [], adapters: new Set() };
  const { files, data, ofCode, code } = needed;
  const follow = (file: string, into: Set<string>) => {
    // What is there already was followed, and a thousand scenarios include the same files.
    const isNew = (named: NamedFile) => {
      if (!travels(named, project, whyKept)) return false;
      if (named.isData && scenarios.has(named.from.file)) data.add(named.file);
      return !into.has(named.file);
    };
    const kept = whyKept(file);
    if (kept !== null) throw new SalvoError('BUNDLE_PATH_INVALID', `${file} does not travel to workers: ${kept}.`);
    if (!into.has(file)) for (const each of fileWithNamed(file, { root, accept: isNew })) into.add(each);
  };
  const addCode = (what: BundleCode['what'], name: string, of = [name], command: BundleCode['command'] = null) => {
    for (const file of of) follow(file, ofCode);
    if (!code.some((each) => isDeepStrictEqual(each, { what, name, command }))) code.push({ what, name, command });
  };
  const addCommand = (words: readonly string[], folder: string, env: readonly string[]) => {
    for (const word of words) if (isAbsolute(word) && isInside(root, word)) travelling(word, root);
    const command = { words: [...words], cwd: slashes(relative(root, folder)), env: [...env] };
    const own = ownFilesOfCommand(words, { folder, root }).filter((file) => whyKept(file) === null);
    addCode('command', words.map(shellQuote).join(' '), own, command);
  };

  // A package is installed on the worker's machine, as those that code imports.
  for (const plugin of config.plugins) if (!isPluginPackage(plugin)) addCode('plugin', travelling(plugin, root));
  if (config.hooks !== undefined) addCode('hooks', travelling(config.hooks, root));
  for (const file of scenarios) {
    if (isCodeFile(file)) addCode('scenario', file);
    else follow(file, files);
  }
  for (const { file, what } of filesOfCases(entries)) {
    if (what === 'assertion') addCode('assertion', file);
    else if (what === 'tool') addCode('module', file);
    else follow(file, files);
    if (what === 'attached') data.add(file);
  }
  const environment = environmentOfCases(entries);
  for (const file of environment.files) {
    const kept = whyKept(file);
    const remedy = 'Leave it out of the workspace: `exclude`';
    if (kept !== null)
      throw new SalvoError('BUNDLE_PATH_INVALID', `${file} does not travel to workers: ${kept}. ${remedy}.`);
    files.add(file);
  }
  for (const { command, cwd: folder, env } of environment.commands) addCommand(command, folder, env);
  for (const [name, options] of adaptersInUse(needs, { project, ofCode })) {
    needed.adapters.add(name);
    if (options.type === 'module') addCode('module', travelling(options.path, root));
    if (options.type === 'exec') {
      const words = typeof options.command === 'string' ? splitCommandLine(options.command) : options.command;
      addCommand(words, resolve(root, options.cwd ?? '.'), options.env ?? []);
    }
    if (options.type === 'ai-sdk' && !isPackageName(options.package)) {
      addCode('module', travelling(options.package, root));
    }
    if (options.type === 'llama') refuseModelFile(options.model_path);
  }
  for (const command of commands) addCommand(splitCommandLine(command), cwd, []);
  // A scenario may include a program as a text. It is code on the worker's disk all the same.
  for (const file of files) if (looksLikeCode(file) && !ofCode.has(file)) addCode('file', file);
  for (const file of [...ofCode, ...packageScopes(ofCode)]) files.add(file);
  return needed;
}

/** The adapters of scenarios and their judges, the defaults of salvo.yaml, and those that a value or code mentions. */
function adaptersInUse(
  { entries = [], adapters = [] }: WorkNeeds,
  { project: { config }, ofCode }: { project: Project; ofCode: ReadonlySet<string> },
): [name: string, MadeOptions][] {
  const scenarios = entries.map(({ loaded }) => JSON.stringify(loaded.scenario));
  const code = [...ofCode].map(textOf);
  const isMentioned = (name: string) =>
    scenarios.some((text) => text.includes(JSON.stringify(name))) || code.some((text) => mentionsWord(text, name));
  const judges = entries.flatMap(({ loaded }) => scenarioJudges(loaded.scenario, config.judge));
  const names = new Set([
    config.default_adapter,
    config.judge.adapter,
    config.embeddings?.adapter,
    ...entries.flatMap(({ loaded, adapter }) => [adapter, loaded.scenario.adapter]),
    ...judges.flatMap((each) => each.judges.map(({ adapter }) => adapter)),
    ...adapters,
    ...Object.keys(config.adapters).filter(isMentioned),
  ]);
  return [...names].flatMap((name): [string, MadeOptions][] => {
    if (name === undefined || registeredAdapters.has(name)) return [];
    const options = adapterOptionsOf(name, { adapters: config.adapters });
    return options ? [[name, options]] : [];
  });
}

/** The package.json of modules, which may be above the project, decides how they are loaded and what `#name` means. */
function packageScopes(modules: ReadonlySet<string>): string[] {
  const found = new Set([...modules].map((file) => findAbove(dirname(file), 'package.json')));
  return [...found].filter((file) => file !== null).filter((file) => /"(?:type|imports)"\s{0,9}:/.test(textOf(file)));
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Whether a file that another one names travels. Throws if it is read here, and could not be on another machine. */
function travels({ file, written, how, from }: NamedFile, { root, config }: Project, whyKept: WhyKept): boolean {
  if (how === 'mention' || (!isInside(root, file) && !looksLikeCode(from.file) && !config.allow_outside)) return false;
  const why = isAbsolute(written) ? 'another machine does not have this absolute path' : whyKept(file);
  if (why === null) return true;
  const lines = textLines(readFileSync(from.file, 'utf8'));
  const place = { file: from.file, line: lines.line(from.offset), column: lines.column(from.offset) };
  const message = `${written} does not travel to workers: ${why}`;
  const hint = 'name a file of the project that does, by its path from this file';
  throw new DiagnosticsError([diagnosticInFile(place, { code: 'outside-project', message, hint })]);
}

/** A path of salvo.yaml or of the command line, as it can be used on another machine. */
function travelling(path: string, root: string): string {
  if (!isAbsolute(path)) return resolve(root, path);
  const message = `${path} is an absolute path, which another machine does not have. Name it relative to salvo.yaml, or to where you are.`;
  throw new SalvoError('BUNDLE_PATH_INVALID', message);
}

function refuseModelFile(path: string): void {
  if (isAbsolute(path)) return;
  const message = `The model file ${path} does not travel to workers: it is too large. Give an absolute model_path, at which each worker has the file.`;
  throw new SalvoError('BUNDLE_PATH_INVALID', message);
}

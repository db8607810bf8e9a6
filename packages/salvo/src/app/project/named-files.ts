import { readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import { type Document, isMap, isPair, isScalar, visit } from 'yaml';
import { isInside } from '../../scenario/yaml/read-source.ts';
import { aliasTargets } from '../../text/modules/tsconfig-paths.ts';
import { parseYaml } from '../../text/parse-yaml.ts';

/** That a file names another one. */
export interface NamedFile {
  /** Absolute. It exists. */
  file: string;
  /** As it is written. */
  written: string;
  /**
   * `reference`: Salvo or Node reads the file because of it, as with `!include` and imports. `mention`: its path is a
   * value of YAML or is written in code, and what reads it is unknown.
   */
  how: 'reference' | 'mention';
  /** It is the value of a key `data`. */
  isData: boolean;
  /** Where it is written. */
  from: { file: string; offset: number };
}

export interface FileSearch {
  /** The folder of salvo.yaml, in which commands run. */
  root: string;
  /** Which of the named files belong to it. By default all but those of packages. */
  accept?: ((named: NamedFile) => boolean) | undefined;
}

/**
 * A file, and every file that it names, directly or through others. Files are read and not run, so it works for those
 * with errors, too. A path that code computes is not found.
 */
export function fileWithNamed(file: string, { root, accept = () => true }: FileSearch): Set<string> {
  const all = new Set([file]);
  for (const each of all) {
    for (const named of namedBy(each, root)) if (!all.has(named.file) && accept(named)) all.add(named.file);
  }
  return all;
}

/** The files that a command names, such as the script of an interpreter. */
export function filesOfCommand(command: string | readonly string[], folder: string): string[] {
  const words = typeof command === 'string' ? [] : command;
  return filesAt([...words, ...(String(command).match(PATHS) ?? [])], folder);
}

/**
 * Those of a command's files that belong to the project. Programs elsewhere belong to the machine, unless they are named
 * from here.
 */
export function ownFilesOfCommand(words: readonly string[], { folder, root }: { folder: string; root: string }) {
  return filesOfCommand(words, folder).filter(
    (file) => isInside(root, file) || words.some((word) => !isAbsolute(word) && resolve(folder, word) === file),
  );
}

/** A module or a script with what it imports, directly or through others, without packages. */
export function fileWithImports(file: string, root: string): Set<string> {
  return fileWithNamed(file, { root, accept: (each) => each.how === 'reference' && !isInstalled(each.file) });
}

/** The packages that a module imports: their names. */
export function packagesImportedBy(file: string): string[] {
  const specifiers = writtenIn(file).flatMap(({ path, to }) => (to === 'module' ? [path] : []));
  const names = specifiers.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(names)].filter((name) => /^[@\w]/.test(name) && !isBuiltin(name));
}

/** In these a path of another file means that it is used. Data and texts only mention files. */
const YAML = new Set(['.yaml', '.yml', '.json']);
const SCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx']);
const PROGRAM = new Set(['.py', '.sh', '.bash', '.rb']);
const MOST_BYTES = 1024 * 1024;
const YAML_LIMITS = { maxDepth: 100, maxLexemes: 100_000 };

/** A file does not change what it names unless it changes: `--watch` asks several times a second. */
const known = new Map<string, { stamp: string; named: Written[] }>();

/** What is written in a file, and could be a path. */
interface Written {
  path: string;
  how: NamedFile['how'];
  isData?: boolean;
  /** What it is relative to. Node looks for a module itself. */
  to: 'file' | 'root' | 'module' | 'python';
  offset: number;
}

function namedBy(file: string, root: string): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const { path, how, to, offset, isData = false } of writtenIn(file)) {
    for (const target of targetsOf(path, { file, root, to })) {
      const earlier = found.get(target);
      if (!earlier || earlier.how === 'mention') {
        found.set(target, { file: target, written: path, how, isData, from: { file, offset } });
      }
    }
  }
  return [...found.values()];
}

function targetsOf(path: string, { file, root, to }: { file: string; root: string; to: Written['to'] }): string[] {
  const folder = dirname(file);
  switch (to) {
    case 'file':
      return filesAt([path], folder);
    case 'root':
      return filesAt([path], root);
    case 'module':
      return modulesAt(path, file);
    case 'python':
      return pythonFiles(path, { file, root });
  }
}

function writtenIn(file: string): Written[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  const kind = extname(file).toLowerCase();
  if (!stats?.isFile() || stats.size > MOST_BYTES) return [];
  if (!YAML.has(kind) && !SCRIPT.has(kind) && !PROGRAM.has(kind)) return [];
  // It names files that are used when the project is somebody's package.
  if (basename(file) === 'package.json') return [];
  const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  const earlier = known.get(file);
  if (earlier?.stamp === stamp) return earlier.named;
  const text = textOf(file);
  const named = YAML.has(kind) ? writtenInYaml(text) : writtenInCode(text, { isPython: kind === '.py' });
  known.set(file, { stamp, named });
  return named;
}

/** What Salvo reads as files: see `docs/scenarios.md#paths`. Arguments of mocked tools may have the same keys. */
const KEYS_OF_SCENARIO = new Set(['data', 'adapter']);
const KEYS_OF_ASSERTION = new Set(['rubric', 'manifest', 'module', 'judge_adapter']);

function isFileKey(ancestors: readonly unknown[]): boolean {
  const [map, pair] = ancestors.slice(-2);
  if (!isPair(pair) || !isScalar(pair.key) || !isMap(map)) return false;
  const key = String(pair.key.value);
  const isOfTransform = key === 'module' && isKey(ancestors.at(-3), 'transform');
  const isOfAssertion = map.has('type') && KEYS_OF_ASSERTION.has(key);
  return (ancestors.length === 3 && KEYS_OF_SCENARIO.has(key)) || isOfAssertion || isOfTransform;
}

function isKey(pair: unknown, key: string): boolean {
  return isPair(pair) && isScalar(pair.key) && pair.key.value === key;
}

/** Whole values only: a prompt that mentions a file does not use it. */
function writtenInYaml(text: string): Written[] {
  const parsed = parseYaml(text, YAML_LIMITS);
  if ('exceeded' in parsed) return [];
  return parsed.documents.flatMap(writtenInDocument);
}

function writtenInDocument(document: Document.Parsed): Written[] {
  const found: Written[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== 'string' || node.value.length > MOST_CHARACTERS) return;
      const offset = node.range?.[0] ?? 0;
      const command = /^(?:exec|command):(.*)$/s.exec(node.value)?.[1];
      if (command !== undefined) {
        for (const path of command.match(PATHS) ?? []) found.push({ path, how: 'mention', to: 'root', offset });
        return;
      }
      const isFile = node.tag === '!include' || (key === 'value' && isFileKey(ancestors));
      const how = isFile ? 'reference' : 'mention';
      const isData = isFile && isKey(ancestors.at(-1), 'data');
      if (isFile || LIKE_A_PATH.test(node.value)) found.push({ path: node.value, how, isData, to: 'file', offset });
    },
  });
  return found;
}

const MOST_CHARACTERS = 1000;
/** Most values are none, and to look for each on the disk takes longer than to read them. */
const LIKE_A_PATH = /^(?![a-z]+:\/\/)[^\n]{0,500}[./\\][^\n]{0,500}$/i;
/** A path with an extension, as it is written in quotes or without them. */
const PATHS = /[\w./@\\-]{1,300}\.\w{1,10}\b/g;
/** Quotes around a path with blanks or letters of other alphabets. */
const QUOTED = /(["'`])([^"'`\n\\]{1,300})\1/g;
const IMPORTS = /\b(?:from|import|require|require\.resolve)\s{0,10}\(?\s{0,10}(["'`])([^"'`\n\\$]{1,300})\1/g;
const PYTHON_IMPORTS =
  /^[ \t]{0,40}(?:from[ \t]{1,10}([\w.]{1,200})[ \t]{1,10})?import[ \t]{1,10}([\w., \t()]{1,500})/gm;

function writtenInCode(text: string, { isPython }: { isPython: boolean }): Written[] {
  const found: Written[] = [];
  const add = (path: string, offset: number) => {
    found.push({ path, how: 'mention', to: 'file', offset }, { path, how: 'mention', to: 'root', offset });
  };
  for (const { 2: path = '', index } of isPython ? [] : text.matchAll(IMPORTS)) {
    found.push({ path, how: 'reference', to: 'module', offset: index });
  }
  for (const { 1: from, 2: names = '', index } of isPython ? text.matchAll(PYTHON_IMPORTS) : []) {
    for (const path of pythonModules(from, names)) found.push({ path, how: 'reference', to: 'python', offset: index });
  }
  for (const { 0: path, index } of text.matchAll(PATHS)) add(path, index);
  for (const { 2: path = '', index } of text.matchAll(QUOTED)) if (/[^\w./@\\-]/.test(path)) add(path, index);
  return found;
}

/** `import a.b, c`, `from a import b` and `from ..a import b`, where b may be a module, too. */
function pythonModules(from: string | undefined, names: string): string[] {
  const imported = names.split(',').map((name) => name.trim().split(/[\s(]/, 1)[0] ?? '');
  if (from === undefined) return imported.map(pythonPath);
  const base = pythonPath(from);
  return [base, ...imported.map((name) => `${base}/${name}`)];
}

/** Dots at the beginning lead upwards; one dot is the folder of the file. */
function pythonPath(name: string): string {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const up = dots === 0 ? '' : `./${'../'.repeat(dots - 1)}`;
  return up + name.slice(dots).replaceAll('.', '/');
}

/** A module may be looked for from the folder of the program, which may be any folder above. */
function pythonFiles(path: string, { file, root }: { file: string; root: string }): string[] {
  const names = path.split('/');
  const packages = names.map((_, index) => `${names.slice(0, index + 1).join('/')}/__init__.py`);
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = filesAt([`${path}.py`, ...packages], folder);
    if (found.length > 0 || folder === root || folder === dirname(folder) || path.startsWith('.')) return found;
  }
}

const MODULE_ENDS = [
  '',
  '.js',
  '.json',
  '.cjs',
  '.mjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '/index.js',
  '/index.ts',
  '/index.json',
];

/**
 * The file of an import, if it is one of the project: of a path, of a name such as `#lib` in package.json, or of an alias in
 * `paths` of tsconfig.json, which then is one of them.
 */
function modulesAt(specifier: string, file: string): string[] {
  if (/^\.{0,2}\//.test(specifier)) return moduleAt(specifier, dirname(file));
  const alias = aliasTargets(specifier, dirname(file));
  const [target] = alias?.targets.flatMap((path) => moduleAt(path, '/')) ?? [];
  if (alias && target !== undefined) return [target, ...filesAt([alias.config], '/')];
  if (!specifier.startsWith('#')) return [];
  try {
    const found = createRequire(file).resolve(specifier);
    return isAbsolute(found) ? filesAt([found], '/') : [];
  } catch {
    return [];
  }
}

function moduleAt(path: string, folder: string): string[] {
  // Loaders of TypeScript take `./x.js` for `./x.ts` if only that exists.
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const names = [...MODULE_ENDS.map((end) => path + end), source, `${source}x`];
  return names.flatMap((name) => filesAt([name], folder)).slice(0, 1);
}

function filesAt(paths: readonly string[], folder: string): string[] {
  const files = [...new Set(paths)].filter((path) => !path.includes('\0')).map((path) => resolve(folder, path));
  return files.filter((file) => !isInstalled(file) && isFile(file));
}

/** Whether a file belongs to a package, a repository or a store, and not to the project itself. */
export function isInstalled(file: string): boolean {
  return /[\\/](?:node_modules|\.git|\.salvo)[\\/]/.test(file);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** Empty if there is no such file, or a very large one. */
export function textOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Whether a text has a name in it, as a word of its own. */
export function mentionsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/\w/.test(around)) return true;
  }
  return false;
}

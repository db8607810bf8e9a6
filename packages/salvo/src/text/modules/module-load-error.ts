import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Place, placeOfError, stripTypes } from '../errors/error-place.ts';
import { errorCode } from '../errors/salvo-error.ts';
import { NOT_SENT } from './permitted-code.ts';
import { aliasTargets } from './tsconfig-paths.ts';
import { type ImportLog, ModuleLoadError, type WrittenImport } from './user-module.ts';

interface Failure {
  file: string;
  log: ImportLog;
  /** Whether a loader was used, or would not help. */
  hasLoader: boolean;
}

/** Why a module of the user could not be loaded: with the place, and with what to do about it. */
export function moduleLoadError(thrown: unknown, failure: Failure): ModuleLoadError {
  const cause = errorOfNode(thrown, failure) ?? thrown;
  const written = writtenImport(cause, failure.log);
  const place = (written && placeOfImport(written)) ?? placeOfError(cause, failure.file, modulesOfUser(failure.log));
  const advice = adviceFor(cause, { place, written });
  const loader = failure.hasLoader ? undefined : advice?.loader;
  const step = loader === undefined ? '' : `${loader} a loader, which Salvo then uses: npm install --save-dev tsx`;
  return new ModuleLoadError(cause, { place, nextStep: `${advice?.text ?? ''} ${step}`.trim() || undefined });
}

/** For a wrong syntax that a loader has found: Node's own error, which always has the place. */
function errorOfNode(thrown: unknown, { file, log }: Failure): unknown {
  if (!isLoadersSyntaxError(thrown)) return undefined;
  const named = [file, ...modulesOfUser(log)].find((each) => thrown.message.includes(each));
  if (named === undefined || !/\.[cm]?ts$/.test(named)) return undefined;
  try {
    stripTypes(named, { mode: 'transform', sourceUrl: named });
    return undefined;
  } catch (error) {
    return error;
  }
}

function isLoadersSyntaxError(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'TransformError' || errorCode(error) === 'GenericFailure');
}

interface Advice {
  text: string | undefined;
  /** Set if a loader would solve the problem: instead of what the text proposes, or alone. */
  loader?: 'Or install' | 'Install';
}

function adviceFor(
  cause: unknown,
  { place, written }: { place: Place | undefined; written: WrittenImport | undefined },
): Advice | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { message } = cause;
  switch (errorCode(cause)) {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return {
        text: 'Node only removes types. Write it without enums, namespaces and parameter properties.',
        loader: 'Or install',
      };
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return { text: 'Node loads no TypeScript from node_modules.', loader: 'Install' };
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return /"\.[jt]sx"/.test(message) ? { text: 'Node loads no JSX.', loader: 'Install' } : undefined;
    case 'ERR_IMPORT_ATTRIBUTE_MISSING':
      return {
        text: "Write the import with its type: import value from './file.json' with { type: 'json' }.",
        loader: 'Or install',
      };
    case 'ERR_MODULE_NOT_FOUND':
    case 'ERR_UNSUPPORTED_DIR_IMPORT':
    case 'ERR_INVALID_MODULE_SPECIFIER':
      return missingModule(message, written);
  }
  if (/outside a module|Unexpected token 'export'|Cannot use 'import\.meta'/.test(message)) {
    return { text: 'It is loaded as CommonJS: rename it to .mts (or .mjs), or set "type": "module" in package.json.' };
  }
  if (/^(?:require|module|exports|__dirname|__filename) is not defined/.test(message)) {
    return { text: 'It is an ES module: use import and export, or rename it to .cjs.' };
  }
  if (/does not provide an export named/.test(message)) {
    return { text: 'If it is a type, import it with `import type`.', loader: 'Or install' };
  }
  if (cause instanceof SyntaxError && place && characterAt(place) === '@') {
    return { text: 'Node does not know decorators.', loader: 'Install' };
  }
  return undefined;
}

const EXTENSIONS = ['.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

function missingModule(message: string, written: WrittenImport | undefined): Advice | undefined {
  const parent = written?.parent?.startsWith('file:') ? fileURLToPath(written.parent) : '';
  const specifier = written?.specifier ?? '';
  if (aliasTargets(specifier, dirname(parent))) {
    return { text: `Node does not read "paths" of tsconfig.json, which has ${specifier}.`, loader: 'Install' };
  }
  const [, name = '', importer = ''] = /^Cannot find package '([^']+)' imported from (.+)$/.exec(message) ?? [];
  if (name !== '') {
    const folder = dirname(importer);
    return { text: `Run \`npm install ${packageOf(name)}\` in ${packagesOfWorker(folder) ?? folder}.` };
  }
  const [, path = '', rest = ''] = /^(?:Cannot find module|Directory import) '([^']+)' ([\s\S]*)/.exec(message) ?? [];
  const [, from = parent] = rest.split('imported from ', 2);
  const found = path === '' ? undefined : existingFile(path);
  if (found === undefined) return { text: packagesOfWorker(dirname(from)) && NOT_SENT };
  const wanted = extname(path) === '' ? 'its extension' : 'the name of an existing file';
  const toWrite = relative(dirname(from), found).replaceAll('\\', '/');
  return {
    text: `Imports need ${wanted}: write '${toWrite.startsWith('.') ? '' : './'}${toWrite}'.`,
    loader: 'Or install',
  };
}

/** The file that is meant by a path without its extension, or with that of the compiled file. */
function existingFile(path: string): string | undefined {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const candidates = [...(source === path ? [] : [source, `${source}x`]), ...EXTENSIONS.map((end) => path + end)];
  return candidates.find((file) => existsSync(file));
}

/** `@lib/hi` may be a file in a package `@lib`, of which Node names only the package. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** On a worker, where packages have to be installed: its files are in a cache, which has a link to its packages. */
function packagesOfWorker(from: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink())
      return dirname(resolve(folder, readlinkSync(packages)));
  }
  return undefined;
}

/** The import that failed; undefined if the problem is within a module. */
function writtenImport(cause: unknown, { found, missing }: ImportLog): WrittenImport | undefined {
  const code = errorCode(cause) ?? '';
  if (/^ERR_(?:MODULE_NOT_FOUND|UNSUPPORTED_DIR_IMPORT|INVALID_MODULE_SPECIFIER)$/.test(code)) return missing;
  if (!/^ERR_(?:IMPORT_ATTRIBUTE_MISSING|UNKNOWN_FILE_EXTENSION|UNSUPPORTED_NODE_MODULES)/.test(code)) return undefined;
  const message = cause instanceof Error ? cause.message : '';
  const named = [...found].find(
    ([url]) => message.includes(url) || (isFileUrl(url) && message.includes(fileURLToPath(url))),
  );
  return named?.[1];
}

/** A wrong syntax may be in any of them. */
function modulesOfUser({ found }: ImportLog): string[] {
  const urls = [...found.keys()].filter((url) => isFileUrl(url) && !url.includes('/node_modules/'));
  return urls.slice(0, MOST_CHECKED).map((url) => fileURLToPath(url));
}

/** Each needs a process. */
const MOST_CHECKED = 20;

function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}

/** Undefined for the module that Salvo itself imports. */
function placeOfImport({ specifier, parent }: WrittenImport): Place | undefined {
  if (parent === undefined || !isFileUrl(parent) || isFileUrl(specifier)) return undefined;
  const file = fileURLToPath(parent);
  const text = readFileSync(file, 'utf8');
  const starts = ['"', "'", '`']
    .map((quote) => text.indexOf(quote + specifier + quote))
    .filter((start) => start !== -1);
  const lines = text.slice(0, Math.min(...starts, text.length)).split('\n');
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function characterAt({ file, line, column }: Place): string | undefined {
  return readFileSync(file, 'utf8').split('\n')[line - 1]?.[column - 1];
}

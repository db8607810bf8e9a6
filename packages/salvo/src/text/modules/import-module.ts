import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { type Place, placeOfError } from '../errors/error-place.ts';
import { errorCode } from '../errors/salvo-error.ts';
import { NOT_SENT, refuseUnpermitted } from './permitted-code.ts';

/** A module of the user could not be loaded: the reason, where, and what to do about it. */
export class ModuleLoadError extends Error {
  readonly place: Place | undefined;
  /** What the user can do about it; undefined where the reason says it all. */
  readonly nextStep: string | undefined;

  constructor(cause: unknown, file: string) {
    const text = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : inspect(cause);
    super(text.split('\n', 1)[0], { cause });
    this.name = 'ModuleLoadError';
    this.place = placeOfError(cause, file);
    this.nextStep = nextStep(cause);
  }
}

/** Imports a module of the user: an agent or a plugin. Throws a `ModuleLoadError`. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  refuseUnpermitted({ module: file });
  const hooks = registerHooks({ resolve: resolveUserModule });
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new ModuleLoadError(error, file);
  } finally {
    hooks.deregister();
  }
}

type ResolveHook = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

const resolveUserModule: ResolveHook = (specifier, context, nextResolve) =>
  asModule(resolveSalvo(specifier, context, nextResolve));

/** `npm init` writes "type": "commonjs", which must not keep a module of the user from using `import`. */
function asModule(resolved: ReturnType<ResolveHook>): ReturnType<ResolveHook> {
  const { format, url } = resolved;
  if (!format?.startsWith('commonjs') || !url.startsWith('file:') || url.includes('/node_modules/')) return resolved;
  if (!/\.[jt]s$/.test(url) || !/^[ \t]*(?:import|export)\b/m.test(readFileSync(fileURLToPath(url), 'utf8'))) {
    return resolved;
  }
  return { ...resolved, format: format.replace('commonjs', 'module') };
}

/**
 * `import 'salvo'` in a module of the user gives the copy of Salvo that is running, whether it runs from its sources,
 * from dist/ or from a global installation, and whether or not the project has Salvo installed.
 */
export const resolveSalvo: ResolveHook = (specifier, context, nextResolve) => {
  const entry = /^salvo(?:\/([\w/-]+))?$/.exec(specifier);
  // The second condition: `import.meta.resolve` below comes here, too.
  if (!entry || context.parentURL === import.meta.url) return nextResolve(specifier, context);
  const isSource = import.meta.url.endsWith('.ts');
  const source = new URL(`../../${entry[1] ?? 'index'}.ts`, import.meta.url).href;
  return { url: isSource ? source : import.meta.resolve(specifier), shortCircuit: true };
};

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

function nextStep(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = errorCode(cause);
  const { message } = cause;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return 'Node only removes types. Write it without enums, namespaces and parameter properties, or compile it to JavaScript and name that file.';
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT') return missingModule(message);
  if (/outside a module|Unexpected token 'export'|Cannot use 'import\.meta'/.test(message)) {
    return 'It is loaded as CommonJS: rename it to .mts (or .mjs), or set "type": "module" in package.json.';
  }
  if (/^(?:require|module|exports|__dirname|__filename) is not defined/.test(message)) {
    return 'It is an ES module: use import and export, or rename it to .cjs.';
  }
  if (/does not provide an export named/.test(message)) {
    return 'If it is a type, import it with `import type`.';
  }
  return undefined;
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

function missingModule(message: string): string | undefined {
  const [, name = '', importer = ''] = /^Cannot find package '([^']+)' imported from (.+)$/.exec(message) ?? [];
  if (name !== '') {
    const folder = dirname(importer);
    return `Run \`npm install ${name}\` in ${packagesOfWorker(folder) ?? folder}.`;
  }
  const [, path = '', rest = ''] = /^(?:Cannot find module|Directory import) '([^']+)' ([\s\S]*)/.exec(message) ?? [];
  const [, from = ''] = rest.split('imported from ', 2);
  const extension = EXTENSIONS.find((candidate) => existsSync(path + candidate));
  if (path === '' || extension === undefined) return packagesOfWorker(dirname(from)) && NOT_SENT;
  const found = relative(dirname(from), path + extension).replaceAll('\\', '/');
  const wanted = extname(path) === '' ? 'its extension' : 'the name of an existing file';
  return `Imports need ${wanted}: write './${found}'.`;
}

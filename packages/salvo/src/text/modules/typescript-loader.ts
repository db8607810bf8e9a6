import { pathToFileURL } from 'node:url';
import { errorCode } from '../errors/salvo-error.ts';
import { isFunction } from '../json/is-record.ts';
import { moduleLoadError } from './module-load-error.ts';
import { type ImportLog, importWith, logged, type ResolveHook, resolveUserModule } from './user-module.ts';

interface FailedImport {
  file: string;
  /** Why Node alone could not load it. */
  cause: unknown;
  log: ImportLog;
  loadedPlainly: ReadonlySet<string>;
}

/**
 * Imports a module that Node alone could not load, by a loader that is installed in its project. Throws a
 * `ModuleLoadError` if there is none, or if the module has another problem.
 */
export async function importWithLoader(failed: FailedImport): Promise<Record<string, unknown>> {
  const { file, cause } = failed;
  const refuse = (error: unknown, log: ImportLog, hasLoader: boolean) =>
    moduleLoadError(error, { file, log, hasLoader });
  if (!couldHelp(cause)) throw refuse(cause, failed.log, true);
  if (!(await registerLoader(file))) throw refuse(cause, failed.log, false);
  const log: ImportLog = { found: new Map(), missing: undefined };
  try {
    return await importWith(logged(freshly(failed), log), pathToFileURL(file).href);
  } catch (error) {
    throw refuse(error, log, true);
  }
}

const SOLVED = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
  'ERR_INVALID_MODULE_SPECIFIER',
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
  'MODULE_NOT_FOUND',
]);

/** Whether another loader may load what Node could not. Code that has begun to run is not run a second time. */
function couldHelp(cause: unknown): boolean {
  return SOLVED.has(errorCode(cause) ?? '') || (cause instanceof SyntaxError && !wasThrownByCode(cause));
}

/** An error of the parser or of linking has no frame in a module of the user. */
function wasThrownByCode({ stack = '' }: Error): boolean {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const [first] = frames.filter((frame) => !/\bnode:|<anonymous>/.test(frame));
  return first !== undefined && !first.includes('importWith');
}

/**
 * Node remembers a module that could not be linked by its URL. So everything has another URL now, except modules that were
 * loaded before: they keep their state.
 */
function freshly({ file, loadedPlainly }: FailedImport): ResolveHook {
  const entry = pathToFileURL(file).href;
  return (specifier, context, nextResolve) => {
    const resolved = resolveUserModule(specifier, context, nextResolve);
    const isImport = context.importAttributes !== undefined;
    const isOurs = (specifier === entry || context.parentURL?.includes(MARK)) && !/^salvo(?:\/|$)/.test(specifier);
    if (!isImport || !isOurs || !isOfUser(resolved.url) || loadedPlainly.has(resolved.url)) return resolved;
    return { ...resolved, url: `${resolved.url}${resolved.url.includes('?') ? '&' : '?'}${MARK}` };
  };
}

const MARK = 'salvo-loader';

/** Packages are JavaScript, except those of a workspace that was copied. */
function isOfUser(url: string): boolean {
  if (!url.startsWith('file:') || url.includes(MARK)) return false;
  return !url.includes('/node_modules/') || /\.[cm]?tsx?(?:\?|$)/.test(url);
}

let registering: Promise<boolean> | undefined;

/** Registers a loader for the rest of this process, and for everything that is imported later. False if there is none. */
function registerLoader(file: string): Promise<boolean> {
  registering ??= registerFrom(pathToFileURL(file).href).then((isRegistered) => {
    if (!isRegistered) registering = undefined;
    return isRegistered;
  });
  return registering;
}

async function registerFrom(parentURL: string): Promise<boolean> {
  const fromProject: ResolveHook = (specifier, context, nextResolve) =>
    nextResolve(specifier, LOADERS.has(specifier) ? { ...context, parentURL } : context);
  for (const [specifier, register] of LOADERS) {
    try {
      register(await importWith(fromProject, specifier));
      return true;
    } catch (error) {
      if (!isMissing(error, specifier)) throw error;
    }
  }
  return false;
}

const LOADERS: ReadonlyMap<string, (loader: Record<string, unknown>) => void> = new Map([
  [
    'tsx/esm/api',
    ({ register }: Record<string, unknown>) => {
      if (isFunction<() => void>(register)) register();
    },
  ],
  // It registers itself when it is imported.
  ['@oxc-node/core/register', () => {}],
]);

function isMissing(error: unknown, specifier: string): boolean {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error instanceof Error && error.message.includes(`'${name}'`);
}

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Place } from '../errors/error-place.ts';

/** A module of the user could not be loaded: the reason, where, and what to do about it. */
export class ModuleLoadError extends Error {
  readonly place: Place | undefined;
  /** What the user can do about it; undefined where the reason says it all. */
  readonly nextStep: string | undefined;

  constructor(cause: unknown, { place, nextStep }: { place: Place | undefined; nextStep: string | undefined }) {
    const text = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : inspect(cause);
    // esbuild says the reason in its second line.
    super(/^.*:\n.*|^.*/.exec(text)?.[0].replace('\n', ' '), { cause });
    this.name = 'ModuleLoadError';
    this.place = place;
    this.nextStep = nextStep;
  }
}

/** Which imports Node was asked for while a module was loaded. */
export interface ImportLog {
  /** By the URL that was found. */
  found: Map<string, WrittenImport>;
  /** The last one for which nothing was found. */
  missing: WrittenImport | undefined;
}

/** An import as it is written in a module. */
export interface WrittenImport {
  specifier: string;
  /** The URL of the module that has the import. */
  parent: string | undefined;
}

/** Imports with a hook that sees everything which the module imports while it is loaded. */
export async function importWith(resolve: ResolveHook, specifier: string): Promise<Record<string, unknown>> {
  const hooks = registerHooks({ resolve });
  try {
    return await import(specifier);
  } finally {
    hooks.deregister();
  }
}

export type ResolveHook = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

export const resolveUserModule: ResolveHook = (specifier, context, nextResolve) =>
  asModule(resolveSalvo(specifier, context, nextResolve));

export function logged(resolve: ResolveHook, log: ImportLog): ResolveHook {
  return (specifier, context, nextResolve) => {
    const written = { specifier, parent: context.parentURL };
    try {
      const resolved = resolve(specifier, context, nextResolve);
      log.found.set(resolved.url, written);
      return resolved;
    } catch (error) {
      log.missing = written;
      throw error;
    }
  };
}

/** `npm init` writes "type": "commonjs", which must not keep a module of the user from using `import`. */
function asModule(resolved: ReturnType<ResolveHook>): ReturnType<ResolveHook> {
  const { format, url } = resolved;
  if (!format?.startsWith('commonjs') || !url.startsWith('file:') || url.includes('/node_modules/')) return resolved;
  const path = fileURLToPath(url);
  if (!/\.[jt]sx?$/.test(path) || !/^[ \t]*(?:import|export)\b/m.test(readFileSync(path, 'utf8'))) return resolved;
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

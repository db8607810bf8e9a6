import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { sourceText } from '../text/source-text.ts';
import { isPluginFile } from './checks/check-project.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { diagnosticAt, type Problem } from './diagnostics/problem.ts';

export interface LoadedPlugins {
  /** Problems at the entries of `plugins` in salvo.yaml. */
  problems: Problem[];
  /** Problems inside the plugins' own files. */
  diagnostics: Diagnostic[];
}

/**
 * Loads the plugins that a salvo.yaml names, one after the other, each once per process. A plugin calls
 * `registerEvaluator` and `registerAdapter`. Files that do not exist are left to `checkProject`.
 */
export async function loadPlugins(names: readonly unknown[], root: string): Promise<LoadedPlugins> {
  const loaded: LoadedPlugins = { problems: [], diagnostics: [] };
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') continue;
    const file = resolve(root, name.replaceAll('\0', ''));
    if (!isPluginFile(name) || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const failure = failures.get(file) ?? loadPlugin(file);
    failures.set(file, failure);
    const { message, place } = (await failure) ?? {};
    if (message === undefined) continue;
    if (place) loaded.diagnostics.push(diagnosticInFile(place, message));
    else loaded.problems.push({ code: 'plugin-error', message, path: ['plugins', index] });
  }
  return loaded;
}

interface Place {
  file: string;
  line: number;
  column: number;
}

interface PluginFailure {
  message: string;
  /** Undefined when Node does not report a position. */
  place: Place | undefined;
}

/** Null for a plugin that was loaded without an error. */
const failures = new Map<string, Promise<PluginFailure | null>>();

async function loadPlugin(file: string): Promise<PluginFailure | null> {
  const url = pathToFileURL(file).href;
  const resolve: ResolveHook = (specifier, context, nextResolve) =>
    specifier === url ? asModule(nextResolve(specifier, context), file) : resolveSalvo(specifier, context, nextResolve);
  const hooks = registerHooks({ resolve });
  try {
    await import(url);
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : typeof error === 'string' ? error : inspect(error);
    const [reason] = text.split('\n', 1);
    return { message: `the plugin cannot be loaded: ${reason}`, place: placeOfError(error, file) };
  } finally {
    hooks.deregister();
  }
}

type ResolveHook = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

/** `npm init` writes "type": "commonjs", which must not keep a plugin from using `import`. */
function asModule(resolved: ReturnType<ResolveHook>, file: string): ReturnType<ResolveHook> {
  const { format } = resolved;
  if (!format?.startsWith('commonjs') || !/^\s*(?:import|export)\b/m.test(readFileSync(file, 'utf8'))) return resolved;
  return { ...resolved, format: format.replace('commonjs', 'module') };
}

/**
 * `import 'salvo'` in a plugin gives the copy of Salvo that is running, whether it runs from its sources, from dist/ or
 * from a global installation, and whether or not the project has Salvo installed.
 */
const resolveSalvo: ResolveHook = (specifier, context, nextResolve) => {
  const entry = /^salvo(?:\/(\w+))?$/.exec(specifier);
  // The second condition: `import.meta.resolve` below comes here, too.
  if (!entry || context.parentURL === import.meta.url) return nextResolve(specifier, context);
  const isSource = import.meta.url.endsWith('.ts');
  const source = new URL(`../${entry[1] ?? 'index'}.ts`, import.meta.url).href;
  return { url: isSource ? source : import.meta.resolve(specifier), shortCircuit: true };
};

function placeOfError(error: unknown, file: string): Place | undefined {
  if (!(error instanceof Error)) return undefined;
  const stack = error.stack ?? '';
  return (
    excerptPlace(stack) ??
    framePlace(stack, file) ??
    (error instanceof SyntaxError ? syntaxErrorPlace(file) : undefined)
  );
}

/** Many syntax errors have a stack that begins with file:line, the source, and carets under the error. */
function excerptPlace(text: string): Place | undefined {
  const [, url = '', line, excerpt = ''] = /^(\S.*):(\d+)\n([\s\S]*?\n *)\^/.exec(text) ?? [];
  if (line === undefined) return undefined;
  const file = url.startsWith('file:///') ? fileURLToPath(url) : url;
  if (!existsSync(file)) return undefined;
  return { file, line: Number(line), column: excerpt.length - excerpt.lastIndexOf('\n') };
}

function framePlace(stack: string, file: string): Place | undefined {
  for (const frame of stack.split('\n')) {
    const [, url = '', line, column] = /^\s+at (?:.*\(|async )?(.+):(\d+):(\d+)\)?$/.exec(frame) ?? [];
    if (url === file || url === pathToFileURL(file).href) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

/** An error of V8's own parser has no position when it is caught; `node --check` prints it. */
function syntaxErrorPlace(file: string): Place | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  return excerptPlace(stderr ?? '');
}

function diagnosticInFile({ file, line, column }: Place, message: string): Diagnostic {
  const source = sourceText({ file, text: readFileSync(file, 'utf8') });
  const before = source.text.split('\n', line - 1).join('\n').length;
  const start = before + (line > 1 ? 1 : 0) + column - 1;
  return diagnosticAt({ source, start, end: start + 1 }, { code: 'plugin-error', message });
}

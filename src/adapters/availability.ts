import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AdapterContext } from './adapter-factory.ts';
import type { MadeOptions } from './adapter-name.ts';
import type { AdapterOptions, AdapterType } from './adapter-options-schema.ts';
import { splitCommandLine } from './agent/command-line.ts';
import { findApiKey } from './api-key.ts';
import { headerVariables } from './expand-headers.ts';
import { isPackageInstalled } from './installed-package.ts';
import { registeredAdapters } from './registered-adapters.ts';

export interface AdapterStatus {
  name: string;
  type: AdapterType | 'registered';
  status: 'ready' | 'missing_key' | 'missing_package' | 'missing_file';
  /** What is there or what to do about it. Names of variables, never their values. */
  detail: string;
}

type Verdict = Pick<AdapterStatus, 'status' | 'detail'>;
type OptionsOf<T extends AdapterType> = Extract<AdapterOptions, { type: T }>;

/** What can be used now, and what is missing for the rest: built-in types, names of salvo.yaml, registered adapters. */
export async function describeAdapters(context: AdapterContext): Promise<AdapterStatus[]> {
  const builtIn = builtInTypes(context).filter(({ name }) => !Object.hasOwn(context.adapters, name));
  const named = Object.entries(context.adapters)
    .filter(([name]) => !registeredAdapters.has(name))
    .map(([name, options]) => ({ name, type: options.type, ...readinessOf(options, context) }));
  const registered = [...registeredAdapters.keys()].map((name) => ({
    name,
    type: 'registered' as const,
    ...ready('registered in code'),
  }));
  return [...builtIn, ...named, ...registered];
}

function builtInTypes(context: AdapterContext): AdapterStatus[] {
  const inSettings = (words: string) => `${words}; name it under "adapters" in salvo.yaml`;
  const needsPackage = (name: string, words: string): Verdict =>
    packageVerdict([name], context) ?? ready(inSettings(words));
  const verdicts: Record<AdapterType, Verdict> = {
    openai: readinessOf({ type: 'openai' }, context),
    anthropic: readinessOf({ type: 'anthropic' }, context),
    scripted: ready('needs no model: answers from the "script" of the scenario'),
    'ai-sdk': needsPackage('ai', 'any provider of the Vercel AI SDK'),
    llama: needsPackage('node-llama-cpp', 'a GGUF file in this process'),
    exec: ready('use "exec:" and a command as the adapter'),
    http: ready('use a URL as the adapter'),
    module: ready('use the path of a TS or JS file as the adapter'),
  };
  return ALL_TYPES.map((type) => ({ name: type, type, ...verdicts[type] }));
}

const ALL_TYPES: AdapterType[] = ['openai', 'anthropic', 'scripted', 'ai-sdk', 'llama', 'exec', 'http', 'module'];

/** Whether an adapter with these options could be called now, and what is missing otherwise. */
export function readinessOf(options: MadeOptions, context: AdapterContext): Verdict {
  switch (options.type) {
    case 'openai':
      return keyVerdict(options, { defaultVariable: 'OPENAI_API_KEY', baseVariable: 'OPENAI_BASE_URL', context });
    case 'anthropic':
      return keyVerdict(options, { defaultVariable: 'ANTHROPIC_API_KEY', baseVariable: 'ANTHROPIC_BASE_URL', context });
    case 'ai-sdk':
      return (
        packageVerdict(['ai', options.package], context) ?? variablesVerdict(options, context) ?? ready(options.package)
      );
    case 'llama':
      return packageVerdict(['node-llama-cpp'], context) ?? fileVerdict(options.model_path, context.root);
    case 'scripted':
      return ready('answers from its script');
    case 'exec':
      return programVerdict(options, context);
    case 'http':
      return variablesVerdict(options, context) ?? ready(new URL(options.url).origin);
    case 'module':
      return fileVerdict(options.path, context.root);
  }
}

function ready(detail: string): Verdict {
  return { status: 'ready', detail };
}

function keyVerdict(
  options: OptionsOf<'openai' | 'anthropic'>,
  {
    defaultVariable,
    baseVariable,
    context,
  }: { defaultVariable: string; baseVariable: string; context: AdapterContext },
): Verdict {
  const { env } = context;
  const baseUrl = options.base_url ?? (env[baseVariable] || undefined);
  const key = findApiKey({ options, defaultVariable, baseUrl, env });
  const at = baseUrl === undefined ? '' : ` at ${URL.parse(baseUrl)?.origin ?? 'an address that is no URL'}`;
  if (key.value === null && key.required) return { status: 'missing_key', detail: `set ${key.variable}` };
  return (
    variablesVerdict({ headers: options.headers }, context) ??
    ready(key.value === null ? `without a key${at}` : `${key.variable} is set${at}`)
  );
}

function variablesVerdict(
  { api_key_env, headers }: { api_key_env?: string | undefined; headers?: Record<string, string> | undefined },
  { env }: AdapterContext,
): Verdict | null {
  const missing = [...(api_key_env ? [api_key_env] : []), ...headerVariables(headers)].filter((name) => !env[name]);
  return missing.length === 0 ? null : { status: 'missing_key', detail: `set ${[...new Set(missing)].join(', ')}` };
}

function packageVerdict(names: string[], { root }: AdapterContext): Verdict | null {
  const missing = names.filter((name) => !isPackageInstalled(name, root));
  return missing.length === 0 ? null : { status: 'missing_package', detail: `npm install ${missing.join(' ')}` };
}

function fileVerdict(path: string, folder: string): Verdict {
  const file = resolve(folder, path);
  return existsSync(file) ? ready(path) : { status: 'missing_file', detail: `${file} does not exist` };
}

function programVerdict({ command, cwd }: OptionsOf<'exec'>, { root, env }: AdapterContext): Verdict {
  const program = programOf(command);
  if (program === null) return { status: 'missing_file', detail: 'the command cannot be read as a command line' };
  if (isAbsolute(program) || /[\\/]/.test(program)) return fileVerdict(program, resolve(root, cwd ?? '.'));
  const extensions = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const isOnPath = (env.PATH ?? '')
    .split(delimiter)
    .some((folder) => extensions.some((extension) => existsSync(join(folder, program + extension))));
  return isOnPath ? ready(program) : { status: 'missing_file', detail: `${program} is not on the PATH` };
}

function programOf(command: string | string[]): string | null {
  if (typeof command !== 'string') return command[0] ?? null;
  try {
    return splitCommandLine(command)[0] ?? null;
  } catch {
    return null;
  }
}

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AdapterContext } from './adapter-factory.ts';
import type { MadeOptions } from './adapter-name.ts';
import type { AdapterType, OptionsOf } from './adapter-options-schema.ts';
import { findApiKey, SDKS, type SdkOptions, sdkBaseUrl } from './call/api-key.ts';
import { type NamingOptions, namedVariables } from './call/expand-headers.ts';
import { isPackageInstalled, isSdkMissing } from './call/optional-package.ts';
import { splitCommandLine } from './program/command-line.ts';
import { registeredAdapters } from './registered-adapters.ts';

export interface AdapterStatus {
  name: string;
  type: AdapterType | 'registered';
  status: 'ready' | 'missing_key' | 'missing_package' | 'missing_file';
  /** What was found, or what to do about it. Names of variables, never their values. */
  detail: string;
}

type Readiness = Pick<AdapterStatus, 'status' | 'detail'>;

/** Which adapters are ready, and what is missing for the others: built-in types, those of salvo.yaml, registered ones. */
export async function describeAdapters(context: AdapterContext): Promise<AdapterStatus[]> {
  const builtIn = builtInTypes(context).filter(({ name }) => !Object.hasOwn(context.adapters, name));
  const named = Object.entries(context.adapters)
    .filter(([name]) => !registeredAdapters.has(name))
    .map(([name, options]) => ({ name, type: options.type, ...adapterReadiness(options, context) }));
  const registered = [...registeredAdapters.keys()].map((name) => ({
    name,
    type: 'registered' as const,
    ...ready('registered in code'),
  }));
  return [...builtIn, ...named, ...registered];
}

function builtInTypes(context: AdapterContext): AdapterStatus[] {
  const inSettings = (words: string) => `${words}; name it under "adapters" in salvo.yaml`;
  const needsPackage = (name: string, words: string): Readiness =>
    packageReadiness([name], context) ?? ready(inSettings(words));
  const verdicts: Record<AdapterType, Readiness> = {
    openai: adapterReadiness({ type: 'openai' }, context),
    anthropic: adapterReadiness({ type: 'anthropic' }, context),
    scripted: ready('needs no model: answers from the "script" of the scenario'),
    'ai-sdk': needsPackage('ai', 'any provider of the Vercel AI SDK'),
    llama: needsPackage('node-llama-cpp', 'a GGUF file in this process'),
    exec: ready('use "exec:" and a command as the adapter'),
    http: ready('use a URL as the adapter'),
    a2a: ready(inSettings('an agent that speaks A2A')),
    'ag-ui': ready(inSettings('an agent that speaks AG-UI')),
    module: ready('use the path of a TS or JS file as the adapter'),
  };
  return ALL_TYPES.map((type) => ({ name: type, type, ...verdicts[type] }));
}

const ALL_TYPES: AdapterType[] = [
  'openai',
  'anthropic',
  'scripted',
  'ai-sdk',
  'llama',
  'exec',
  'http',
  'a2a',
  'ag-ui',
  'module',
];

/** Whether an adapter with these options can be called now, and otherwise what is missing. */
export function adapterReadiness(options: MadeOptions, context: AdapterContext): Readiness {
  switch (options.type) {
    case 'openai':
    case 'anthropic':
      return sdkReadiness(options, context);
    case 'ai-sdk':
      return (
        packageReadiness(['ai', options.package], context) ??
        variablesReadiness(options, context) ??
        ready(options.package)
      );
    case 'llama':
      return packageReadiness(['node-llama-cpp'], context) ?? fileReadiness(options.model_path, context.root);
    case 'scripted':
      return ready('answers from its script');
    case 'exec':
      return programReadiness(options, context);
    case 'http':
    case 'a2a':
    case 'ag-ui':
      return variablesReadiness(options, context) ?? ready(new URL(options.url).origin);
    case 'module':
      return fileReadiness(options.path, context.root);
  }
}

function ready(detail: string): Readiness {
  return { status: 'ready', detail };
}

/** Names the package and the key in one line, so that a first run does not fail twice. */
function sdkReadiness(options: SdkOptions, context: AdapterContext): Readiness {
  const key = keyReadiness(options, context);
  const { sdk } = SDKS[options.type];
  if (!isSdkMissing(sdk, context.root)) return key;
  const also = key.status === 'missing_key' ? `, and ${key.detail}` : '';
  return { status: 'missing_package', detail: `npm install ${sdk}${also}` };
}

function keyReadiness(options: SdkOptions, context: AdapterContext): Readiness {
  const baseUrl = sdkBaseUrl(options, context.env);
  const key = findApiKey(options, context.env);
  const at = baseUrl === undefined ? '' : ` at ${URL.parse(baseUrl)?.origin ?? 'an address that is not a URL'}`;
  if (key.value === null && key.required) return { status: 'missing_key', detail: `set ${key.variable}` };
  return (
    variablesReadiness({ headers: options.headers }, context) ??
    ready(key.value === null ? `without a key${at}` : `${key.variable} is set${at}`)
  );
}

function variablesReadiness(options: NamingOptions, { env }: AdapterContext): Readiness | null {
  const missing = namedVariables(options).filter((name) => !env[name]);
  return missing.length === 0 ? null : { status: 'missing_key', detail: `set ${[...new Set(missing)].join(', ')}` };
}

function packageReadiness(names: string[], { root }: AdapterContext): Readiness | null {
  const missing = names.filter((name) => !isPackageInstalled(name, root));
  return missing.length === 0 ? null : { status: 'missing_package', detail: `npm install ${missing.join(' ')}` };
}

function fileReadiness(path: string, folder: string): Readiness {
  const file = resolve(folder, path);
  return existsSync(file) ? ready(path) : { status: 'missing_file', detail: `${file} does not exist` };
}

function programReadiness({ command, cwd }: OptionsOf<'exec'>, { root, env }: AdapterContext): Readiness {
  const program = programOf(command);
  if (program === null) return { status: 'missing_file', detail: 'the command cannot be read as a command line' };
  if (isAbsolute(program) || /[\\/]/.test(program)) return fileReadiness(program, resolve(root, cwd ?? '.'));
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

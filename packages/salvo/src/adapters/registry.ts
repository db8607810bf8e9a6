import { resolve } from 'node:path';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { refuseUnpermitted } from '../text/modules/permitted-code.ts';
import { suggestionSentence } from '../text/words/did-you-mean.ts';
import type { Adapter } from './adapter.ts';
import type { AdapterContext, AdapterFactory } from './adapter-factory.ts';
import {
  adapterOptionsOf,
  BUILT_IN_NAMES,
  type MadeOptions,
  namedOptions,
  TYPES_WITH_OPTIONS,
} from './adapter-name.ts';
import type { AdapterOptions, AdapterType, OptionsOf } from './adapter-options-schema.ts';
import { lazyAdapter } from './lazy-adapter.ts';
import { commandOf } from './program/command-line.ts';
import { registeredAdapters } from './registered-adapters.ts';
import { createScriptedAdapter } from './scripted/scripted.ts';

/**
 * The adapter of a name, as in a scenario: one registered in code, a named one of salvo.yaml, a built-in, an http(s)
 * URL, `exec:` and a command line, or the path of a module.
 */
export function getAdapter(name: string, context: Partial<AdapterContext> = {}): Adapter {
  const full = fullContext(context);
  const make = registeredAdapters.get(name);
  if (make) return make(full);
  const options = adapterOptionsOf(name, full);
  return options ? create(options, full) : refuse(name, full);
}

/** The type of the adapter that `getAdapter` would return; undefined when it would throw. */
export function adapterType(name: string, context: Partial<AdapterContext>): AdapterType | 'registered' | undefined {
  return registeredAdapters.has(name) ? 'registered' : adapterOptionsOf(name, fullContext(context))?.type;
}

type AdapterLimits = Pick<AdapterOptions, 'max_concurrency' | 'requests_per_minute' | 'timeout_seconds'>;

/** The limits of a named adapter of salvo.yaml. Other adapters have none. A local model gives one answer at a time. */
export function adapterLimits(name: string, context: Partial<AdapterContext> = {}): AdapterLimits {
  const options = namedOptions(name, fullContext(context));
  const { max_concurrency, requests_per_minute, timeout_seconds } = options ?? {};
  return {
    max_concurrency: max_concurrency ?? (options?.type === 'llama' ? 1 : undefined),
    requests_per_minute,
    timeout_seconds,
  };
}

function fullContext(context: Partial<AdapterContext>): AdapterContext {
  return { root: process.cwd(), adapters: {}, env: process.env, ...context };
}

/** The code of each is loaded when it is used. */
const FACTORIES: { [T in LazyType]: () => Promise<AdapterFactory<T>> } = {
  openai: async () => (await import('./openai/openai.ts')).createOpenAiAdapter,
  anthropic: async () => (await import('./anthropic/anthropic.ts')).createAnthropicAdapter,
  'ai-sdk': async () => (await import('./ai-sdk/ai-sdk.ts')).createAiSdkAdapter,
  llama: async () => (await import('./llama/llama.ts')).createLlamaAdapter,
  http: async () => (await import('./agent/http.ts')).createHttpAdapter,
  a2a: async () => (await import('./a2a/a2a.ts')).createA2aAdapter,
  'ag-ui': async () => (await import('./ag-ui/ag-ui.ts')).createAgUiAdapter,
  exec: async () => (await import('./agent/exec.ts')).createExecAdapter,
  module: async () => (await import('./agent/module.ts')).createModuleAdapter,
};

type LazyType = Exclude<AdapterType, 'scripted'>;

function create(options: MadeOptions, context: AdapterContext): Adapter {
  const { type } = options;
  if (type === 'scripted') return createScriptedAdapter(options, context);
  if (type === 'exec') refuseUnpermitted(commandOf(options, context.root));
  if (type === 'module') refuseUnpermitted({ module: resolve(context.root, options.path) });
  // Not a module's own name, which is known only after the first turn: a judge is identified by its provider.
  const provider = type === 'ai-sdk' ? (options.package.split('/').at(-1) ?? '') : type;
  const isOneModelCall = type === 'openai' || type === 'anthropic' || type === 'ai-sdk' || undefined;
  const contextTokens = type === 'llama' ? options.context_size : undefined;
  return lazyAdapter({ provider, isOneModelCall, contextTokens, observes: observesOf(options) }, () =>
    load(type, options, context),
  );
}

function observesOf(options: MadeOptions): Adapter['observes'] {
  const observe = 'observe' in options ? options.observe : undefined;
  if (observe === undefined || observe === 'model' || observe === 'otel') return observe;
  return 'model' in observe ? 'model' : 'otel';
}

async function load<T extends LazyType>(type: T, options: OptionsOf<T>, context: AdapterContext): Promise<Adapter> {
  const make: AdapterFactory<T> = await FACTORIES[type]();
  const adapter = make(options, context);
  if (!('observe' in options) || options.observe === undefined) return adapter;
  const { observedAdapter } = await import('./observe/observed-adapter.ts');
  return observedAdapter(adapter, { observe: options.observe, env: context.env, endsWithTurn: type === 'exec' });
}

function refuse(name: string, context: AdapterContext): never {
  if (TYPES_WITH_OPTIONS.has(name)) {
    throw new SalvoError(
      'ADAPTER_OPTIONS_MISSING',
      `The adapter type "${name}" needs options. Give it a name and its options under "adapters" in salvo.yaml, and use that name.`,
    );
  }
  const names = [...BUILT_IN_NAMES, ...registeredAdapters.keys(), ...Object.keys(context.adapters)];
  const known = [...new Set(names)].sort();
  throw new SalvoError(
    'ADAPTER_UNKNOWN',
    `There is no adapter "${name}".${suggestionSentence(name, known)} Known adapters: ${known.join(', ')}; also a URL, "exec:" and a command, or the path of a module.`,
  );
}

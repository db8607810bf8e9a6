import { resolve } from 'node:path';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { refuseUnpermitted } from '../text/modules/permitted-code.ts';
import { suggestionSentence } from '../text/words/did-you-mean.ts';
import type { Adapter } from './adapter.ts';
import type { AdapterContext } from './adapter-factory.ts';
import {
  adapterOptionsOf,
  BUILT_IN_NAMES,
  type MadeOptions,
  namedOptions,
  TYPES_WITH_OPTIONS,
} from './adapter-name.ts';
import type { AdapterOptions, AdapterType } from './adapter-options-schema.ts';
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

function create(options: MadeOptions, context: AdapterContext): Adapter {
  switch (options.type) {
    case 'scripted':
      return createScriptedAdapter(options, context);
    case 'openai':
      return lazyAdapter({ provider: 'openai', isOneModelCall: true }, async () =>
        (await import('./openai/openai.ts')).createOpenAiAdapter(options, context),
      );
    case 'anthropic':
      return lazyAdapter({ provider: 'anthropic', isOneModelCall: true }, async () =>
        (await import('./anthropic/anthropic.ts')).createAnthropicAdapter(options, context),
      );
    case 'ai-sdk':
      return lazyAdapter({ provider: lastPart(options.package), isOneModelCall: true }, async () =>
        (await import('./ai-sdk/ai-sdk.ts')).createAiSdkAdapter(options, context),
      );
    case 'llama':
      return lazyAdapter({ provider: 'llama', contextTokens: options.context_size }, async () =>
        (await import('./llama/llama.ts')).createLlamaAdapter(options, context),
      );
    case 'http':
      return lazyAdapter({ provider: 'http' }, async () =>
        (await import('./agent/http.ts')).createHttpAdapter(options, context),
      );
    case 'exec':
      refuseUnpermitted(commandOf(options, context.root));
      return lazyAdapter({ provider: 'exec' }, async () =>
        (await import('./agent/exec.ts')).createExecAdapter(options, context),
      );
    case 'module':
      refuseUnpermitted({ module: resolve(context.root, options.path) });
      // Not the module's own name, which is known only after the first turn: a judge is identified by its provider.
      return lazyAdapter({ provider: 'module' }, async () =>
        (await import('./agent/module.ts')).createModuleAdapter(options, context),
      );
  }
}

function lastPart(packageName: string): string {
  return packageName.split('/').at(-1) ?? packageName;
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

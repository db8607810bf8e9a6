import { SalvoError } from '../text/errors/salvo-error.ts';
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
import { createExecAdapter } from './agent/exec.ts';
import { createHttpAdapter } from './agent/http.ts';
import { createModuleAdapter } from './agent/module.ts';
import { createAiSdkAdapter } from './ai-sdk/ai-sdk.ts';
import { createAnthropicAdapter } from './anthropic/anthropic.ts';
import { createLlamaAdapter } from './llama/llama.ts';
import { createOpenAiAdapter } from './openai/openai.ts';
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
    case 'openai':
      return createOpenAiAdapter(options, context);
    case 'anthropic':
      return createAnthropicAdapter(options, context);
    case 'ai-sdk':
      return createAiSdkAdapter(options, context);
    case 'llama':
      return createLlamaAdapter(options, context);
    case 'scripted':
      return createScriptedAdapter(options, context);
    case 'exec':
      return createExecAdapter(options, context);
    case 'http':
      return createHttpAdapter(options, context);
    case 'module':
      return createModuleAdapter(options, context);
  }
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

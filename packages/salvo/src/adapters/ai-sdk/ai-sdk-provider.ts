import { z } from 'zod';
import { isFunction, isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';
import { namedApiKey } from '../call/api-key.ts';

/** Returns the model of a name; its `provider` is a name such as `google.generative-ai`. */
export interface AiSdkProvider {
  (model: string): { provider: string };
  /** Throws if the provider has no decision models. */
  decisionModel(model: string): { provider: string };
  /** Throws if the provider has no embedding models. */
  embeddingModel(model: string): { provider: string };
}

type AnyFunction = (...args: unknown[]) => unknown;

interface ProviderSource {
  /** The exports of the provider's package. */
  exports: Record<string, unknown>;
  options: Pick<Extract<AdapterOptions, { type: 'ai-sdk' }>, 'package' | 'export' | 'base_url' | 'api_key_env'>;
  env: Record<string, string | undefined>;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/** Creates a provider of the AI SDK with the function that its package exports for this, which is always `createXyz`. */
export function createAiSdkProvider({ exports, options, ...source }: ProviderSource): AiSdkProvider {
  const name = options.export ?? findFactory(exports, options.package);
  const found = exports[name];
  const provider =
    name.startsWith('create') && isFunction<AnyFunction>(found) ? found(settings({ options, ...source })) : found;
  const create = (modelName: string) => {
    const model = languageModel(provider, modelName);
    if (isModel(model)) return model;
    throw exportError(exports, `the export "${name}" of ${options.package} does not create language models`);
  };
  return Object.assign(create, {
    decisionModel(modelName: string) {
      const model = modelOf(provider, modelName, ['decisionModel', 'decision', 'evaluationModel']);
      if (isModel(model)) return model;
      const problem = `The provider of ${options.package} has no decision models: it has no function "decisionModel"`;
      throw new AdapterError('bad_request', `${problem}. Update the package, or remove "mode: decide".`);
    },
    embeddingModel(modelName: string) {
      const model = modelOf(provider, modelName, [
        'embeddingModel',
        'textEmbeddingModel',
        'textEmbedding',
        'embedding',
      ]);
      if (isModel(model)) return model;
      const problem = `The provider of ${options.package} has no embedding models: it has no function "embeddingModel"`;
      throw new AdapterError('bad_request', `${problem}. Choose another adapter for output_similar.`);
    },
  });
}

/** If there are several, the one named after the package: `createGoogleGenerativeAI` of `@ai-sdk/google`. */
function findFactory(exports: Record<string, unknown>, packageName: string): string {
  const names = factoryNames(exports);
  const stem = (packageName.split('/').at(-1) ?? '').replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
  const named = names.filter((name) => name.toLowerCase().startsWith(`create${stem}`));
  const [name, another] = named.length > 0 ? named : names;
  // Packages keep old names as aliases: two names of the same function are not ambiguous.
  if (name !== undefined && (another === undefined || exports[name] === exports[another])) return name;
  throw exportError(exports, `it is not clear which export of ${packageName} creates its provider`);
}

function factoryNames(exports: Record<string, unknown>): string[] {
  return Object.keys(exports).filter((name) => /^create[A-Z]/.test(name) && isFunction(exports[name]));
}

function exportError(exports: Record<string, unknown>, problem: string): AdapterError {
  const names = factoryNames(exports);
  return new AdapterError(
    'missing_dependency',
    `Set "export" of the adapter in salvo.yaml: ${problem}. ${names.length > 0 ? `It could be ${quoteOutput(names.join(', '))}.` : 'None of them is called createXyz.'}`,
  );
}

function isModel(value: unknown): value is { provider: string } {
  return isRecord(value) && typeof value.provider === 'string';
}

function languageModel(provider: unknown, model: string): unknown {
  if (isFunction<AnyFunction>(provider)) return provider(model);
  return isRecord(provider) && isFunction<AnyFunction>(provider.languageModel)
    ? provider.languageModel(model)
    : undefined;
}

/** Providers are functions or objects; both have functions for other kinds of models. */
function modelOf(provider: unknown, model: string, functions: readonly string[]): unknown {
  const make = functions
    .map((name): unknown => (isRecord(provider) || isFunction(provider) ? Reflect.get(provider, name) : undefined))
    .find((found) => isFunction<AnyFunction>(found));
  return isFunction<AnyFunction>(make) ? make(model) : undefined;
}

function settings({ options, env, headers, fetch }: Omit<ProviderSource, 'exports'>): Record<string, unknown> {
  const apiKey = namedApiKey(options, env);
  return {
    fetch,
    // Without `api_key_env`, the package reads the variable that its own documentation names.
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(options.base_url === undefined ? {} : { baseURL: options.base_url }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    // This package has no name of its own for its provider.
    ...(options.package.endsWith('openai-compatible') ? { name: 'openai-compatible' } : {}),
  };
}

/** What we use of the package `ai`. Its own types differ between versions; these parts are the same since 5. */
export interface AiSdk {
  generateText(options: Record<string, unknown>): Promise<unknown>;
  jsonSchema(schema: Record<string, unknown>): unknown;
  embedMany?: ((options: Record<string, unknown>) => Promise<unknown>) | undefined;
  /** Since version 7, and experimental. */
  experimental_decide?: ((options: Record<string, unknown>) => Promise<unknown>) | undefined;
}

const aiSdkSchema = z.object({
  generateText: z.custom<AiSdk['generateText']>(isFunction),
  jsonSchema: z.custom<AiSdk['jsonSchema']>(isFunction),
  embedMany: z.custom<NonNullable<AiSdk['embedMany']>>(isFunction).optional(),
  experimental_decide: z.custom<NonNullable<AiSdk['experimental_decide']>>(isFunction).optional(),
});

/** The functions of the imported package `ai`. */
export function loadAiSdk(exports: Record<string, unknown>): AiSdk {
  const sdk = aiSdkSchema.safeParse(exports);
  if (!sdk.success) {
    throw new AdapterError(
      'missing_dependency',
      'The installed version of the package ai is too old. Run: npm install ai@latest',
    );
  }
  // Its warnings would be printed between our own lines.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return sdk.data;
}

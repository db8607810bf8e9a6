import { AdapterError } from '../adapter-error.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';

/** Options of the adapters that use a provider's official SDK. */
export type SdkOptions = Extract<AdapterOptions, { type: 'openai' | 'anthropic' }>;

type Environment = Record<string, string | undefined>;

/** The package of each SDK, the variables that the provider's documentation names, and the provider's own host. */
export const SDKS = {
  openai: {
    sdk: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    baseVariable: 'OPENAI_BASE_URL',
    /** Sent besides the key if they are set, some of them by the SDK itself. */
    alsoSent: ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_CUSTOM_HEADERS'],
    host: 'api.openai.com',
  },
  anthropic: {
    sdk: '@anthropic-ai/sdk',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseVariable: 'ANTHROPIC_BASE_URL',
    alsoSent: ['ANTHROPIC_CUSTOM_HEADERS'],
    host: 'api.anthropic.com',
  },
} as const;

/** The address of the server; undefined for the provider's own. */
export function sdkBaseUrl({ type, base_url }: SdkOptions, env: Environment): string | undefined {
  return base_url ?? (env[SDKS[type].baseVariable] || undefined);
}

interface ApiKey {
  variable: string;
  /** Null when there is none. */
  value: string | null;
  /** False when the server may need none: a local one, or one that is authorized by a header. */
  required: boolean;
}

/** Sent when there is no key: the SDKs require one even for servers that do not. */
export const NO_KEY = 'no-key';

const AUTH_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key']);

/** The key that requests need, from the environment. */
export function findApiKey(options: SdkOptions, env: Environment): ApiKey {
  const variable = options.api_key_env ?? SDKS[options.type].keyVariable;
  const isOwnServer = sdkBaseUrl(options, env) === undefined;
  return {
    variable,
    // A key read from a file often ends in a line break, which is not allowed in a header.
    value: env[variable]?.trim() || null,
    required: options.api_key_env !== undefined || (isOwnServer && !hasAuthHeader(options.headers)),
  };
}

/** Whether one of the user's own headers replaces the key. */
export function hasAuthHeader(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => AUTH_HEADERS.has(name.toLowerCase()));
}

/** The value of the variable that `api_key_env` names; undefined when the adapter has no such option. */
export function namedApiKey(
  { api_key_env }: { api_key_env?: string | undefined },
  env: Environment,
): string | undefined {
  const key = api_key_env === undefined ? undefined : env[api_key_env]?.trim();
  if (key || api_key_env === undefined) return key;
  throw new AdapterError(
    'auth',
    `The environment variable ${api_key_env}, which api_key_env of the adapter names, is not set.`,
  );
}

/** Throws when a key is needed and there is none. */
export function requireApiKey({ value, required, variable }: ApiKey, provider: string): void {
  if (value !== null || !required) return;
  throw new AdapterError(
    'auth',
    `${provider} needs an API key: set the environment variable ${variable}, or name another with api_key_env in salvo.yaml.`,
  );
}

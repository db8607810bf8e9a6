import { AdapterError } from '../adapter-error.ts';

interface ApiKeySource {
  /** The adapter's options in salvo.yaml. */
  options: { api_key_env?: string | undefined; headers?: Record<string, string> | undefined };
  /** The variable that the provider's documentation names. */
  defaultVariable: string;
  /** Set when the server is not the provider's own. */
  baseUrl: string | undefined;
  env: Record<string, string | undefined>;
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
export function findApiKey({ options, defaultVariable, baseUrl, env }: ApiKeySource): ApiKey {
  const variable = options.api_key_env ?? defaultVariable;
  return {
    variable,
    // A key read from a file often ends in a line break, which is not allowed in a header.
    value: env[variable]?.trim() || null,
    required: options.api_key_env !== undefined || (baseUrl === undefined && !hasAuthHeader(options.headers)),
  };
}

/** Whether one of the user's own headers replaces the key. */
export function hasAuthHeader(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => AUTH_HEADERS.has(name.toLowerCase()));
}

/** The value of the variable that `api_key_env` names; undefined when the adapter has no such option. */
export function namedApiKey(
  { api_key_env }: { api_key_env?: string | undefined },
  env: Record<string, string | undefined>,
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

import { AdapterError } from '../adapter-error.ts';

interface ApiKeyQuestion {
  /** What salvo.yaml says of the adapter. */
  options: { api_key_env?: string | undefined; headers?: Record<string, string> | undefined };
  /** The variable the provider's users know. */
  defaultVariable: string;
  /** Set when another server than the provider's own is called. */
  baseUrl: string | undefined;
  env: Record<string, string | undefined>;
}

interface ApiKey {
  variable: string;
  /** Null when there is none. */
  value: string | null;
  /** False when the server may do without: a local one, or one that is told by a header who we are. */
  required: boolean;
}

/** The SDKs want a key even for servers that do not. */
export const NO_KEY = 'no-key';

const AUTH_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key']);

/** Which key a request needs, and whether the environment has it. */
export function findApiKey({ options, defaultVariable, baseUrl, env }: ApiKeyQuestion): ApiKey {
  const variable = options.api_key_env ?? defaultVariable;
  return {
    variable,
    // A key read from a file often ends in a line break, which no header can hold.
    value: env[variable]?.trim() || null,
    required: options.api_key_env !== undefined || (baseUrl === undefined && !hasAuthHeader(options.headers)),
  };
}

/** Whether a header of the user's own takes the place of the key. */
export function hasAuthHeader(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => AUTH_HEADERS.has(name.toLowerCase()));
}

/** Throws when a key is needed and there is none. */
export function requireApiKey({ value, required, variable }: ApiKey, provider: string): void {
  if (value !== null || !required) return;
  throw new AdapterError(
    'auth',
    `${provider} needs an API key: set the environment variable ${variable}, or name another with api_key_env in salvo.yaml.`,
  );
}

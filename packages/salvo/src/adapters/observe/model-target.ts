/** The APIs whose requests and answers are read. Others are only passed on. */
export type ModelApi = 'chat' | 'responses' | 'messages' | 'gemini';
export type ModelProvider = 'openai' | 'anthropic' | 'google';

/** The variable by which each SDK is led to another address, and where its requests go without it. */
const PROVIDERS = {
  openai: { variable: 'OPENAI_BASE_URL', address: 'https://api.openai.com/v1', path: '/v1' },
  anthropic: { variable: 'ANTHROPIC_BASE_URL', address: 'https://api.anthropic.com', path: '' },
  google: { variable: 'GOOGLE_GEMINI_BASE_URL', address: 'https://generativelanguage.googleapis.com', path: '' },
} as const satisfies Record<ModelProvider, object>;

type Environment = Record<string, string | undefined>;

/** The variables that lead the requests of an agent to a recorder. */
export function baseUrlVariables(origin: string): Record<string, string> {
  return Object.fromEntries(Object.values(PROVIDERS).map(({ variable, path }) => [variable, `${origin}${path}`]));
}

/** The variables with the keys, without which an SDK does not start. */
const KEYS = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
} as const satisfies Record<ModelProvider, readonly string[]>;

/** Keys for a replay, which needs none, where the environment has none. In CI, a secret that is not there is an empty variable. */
export function placeholderKeys(env: Environment): Record<string, string> {
  const missing = Object.values(KEYS).filter((names) => names.every((name) => !env[name]));
  return Object.fromEntries(missing.flat().map((name) => [name, 'replayed-by-salvo']));
}

export const BASE_URL_VARIABLES = Object.values(PROVIDERS).map(({ variable }) => variable);

/** Where a request of an agent is sent. */
export interface ModelTarget {
  provider: ModelProvider;
  /** Null for others, such as embeddings. */
  api: ModelApi | null;
  url: URL;
  /** Gemini has the model in the path. */
  model: string | null;
}

/**
 * Which provider a request is for, by its path and headers, and its real address: the user's own base URL if the environment
 * has one, otherwise the provider's.
 */
export function modelTarget(path: string, headers: Record<string, unknown>, env: Environment): ModelTarget {
  const { pathname, search } = new URL(path, 'http://recorder');
  const provider = providerOf(pathname, headers);
  const { variable, address } = PROVIDERS[provider];
  const base = new URL((env[variable] ?? '').trim() || address);
  const url = new URL(base);
  url.pathname = joined(base.pathname.replace(/\/$/, ''), pathname, provider);
  url.search = search;
  const [, model] = /\/models\/([^/:]+):/.exec(pathname) ?? [];
  return {
    provider,
    api: apiOf(pathname, provider),
    url,
    model: model === undefined ? null : decodeURIComponent(model),
  };
}

function providerOf(pathname: string, headers: Record<string, unknown>): ModelProvider {
  if (/\/v1(?:alpha|beta)\w*\//.test(pathname) || /\/models\/[^/]+:\w+$/.test(pathname)) return 'google';
  return 'anthropic-version' in headers || /\/messages(?:\/|$)/.test(pathname) ? 'anthropic' : 'openai';
}

/** Some SDKs expect the version in the base URL and others add it: it is there once. */
function joined(base: string, pathname: string, provider: ModelProvider): string {
  if (provider === 'google') return `${base}${pathname}`;
  const rest = pathname.replace(/^\/v1(?=\/)/, '');
  return /\/v\d+$/.test(base) || provider === 'openai' ? `${base}${rest}` : `${base}/v1${rest}`;
}

function apiOf(pathname: string, provider: ModelProvider): ModelApi | null {
  if (provider === 'google') return /:(?:generateContent|streamGenerateContent)$/.test(pathname) ? 'gemini' : null;
  if (provider === 'anthropic') return /\/messages$/.test(pathname) ? 'messages' : null;
  if (/\/chat\/completions$/.test(pathname)) return 'chat';
  return /\/responses$/.test(pathname) ? 'responses' : null;
}

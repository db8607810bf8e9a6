/** The APIs whose requests and answers are read. Others are only passed on. */
export type ModelApi = 'chat' | 'responses' | 'messages' | 'gemini';
export type ModelProvider = keyof typeof PROVIDERS | 'azure' | 'bedrock';

/** The variable by which each SDK is led to another address, and where its requests go without it. */
const PROVIDERS = {
  openai: { variable: 'OPENAI_BASE_URL', address: 'https://api.openai.com/v1', path: '/v1' },
  anthropic: { variable: 'ANTHROPIC_BASE_URL', address: 'https://api.anthropic.com', path: '' },
  google: { variable: 'GOOGLE_GEMINI_BASE_URL', address: 'https://generativelanguage.googleapis.com', path: '' },
} as const;

/** The resource of Azure OpenAI, which has no usual address. Agents may choose Azure because it is set. */
const AZURE_VARIABLE = 'AZURE_OPENAI_ENDPOINT';

type Environment = Record<string, string | undefined>;

/**
 * The variables that lead the requests of an agent to a recorder. The client for Azure of OpenAI's SDK for JavaScript does
 * not start if it has an endpoint and the base URL of OpenAI: an agent that only uses Azure is not given both.
 */
export function baseUrlVariables(origin: string, env: Environment): Record<string, string> {
  const isAzure = Boolean(env[AZURE_VARIABLE]);
  const usesOpenAi = !isAzure || env.OPENAI_API_KEY || env.OPENAI_BASE_URL;
  const providers = Object.values(PROVIDERS).filter((each) => each !== PROVIDERS.openai || usesOpenAi);
  return {
    ...Object.fromEntries(providers.map(({ variable, path }) => [variable, `${origin}${path}`])),
    ...(isAzure && { [AZURE_VARIABLE]: origin }),
  };
}

/** The variables with the keys, without which an SDK does not start. */
const KEYS: readonly (readonly string[])[] = [
  ['OPENAI_API_KEY'],
  ['ANTHROPIC_API_KEY'],
  ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
];

/** Keys for a replay, which needs none, where the environment has none. In CI, a secret that is not there is an empty variable. */
export function placeholderKeys(env: Environment): Record<string, string> {
  const needed = env[AZURE_VARIABLE] ? [...KEYS, ['AZURE_OPENAI_API_KEY']] : KEYS;
  const missing = needed.filter((names) => names.every((name) => !env[name]));
  return Object.fromEntries(missing.flat().map((name) => [name, 'replayed-by-salvo']));
}

export const BASE_URL_VARIABLES = Object.values(PROVIDERS).map(({ variable }) => variable);

/** Where a request of an agent is sent. */
export interface ModelTarget {
  provider: ModelProvider;
  /** Null for others, such as embeddings. */
  api: ModelApi | null;
  url: URL;
  /** Gemini and Azure have the model in the path. */
  model: string | null;
  /** Why it cannot be sent on; null if it can. */
  problem: string | null;
}

/**
 * Which provider a request is for, by its path and headers, and its real address: the user's own base URL if the environment
 * has one, otherwise the provider's.
 */
export function modelTarget(path: string, headers: Record<string, unknown>, env: Environment): ModelTarget {
  const { pathname, search } = new URL(path, 'http://recorder');
  const provider = providerOf(pathname, headers);
  const [, model] = /\/models\/([^/:]+):/.exec(pathname) ?? /\/deployments\/([^/]+)\//.exec(pathname) ?? [];
  const { base, problem } = baseOf(provider, env);
  const url = new URL(base);
  url.pathname = joined(base.pathname.replace(/\/$/, ''), pathname, provider);
  url.search = search;
  return {
    provider,
    api: apiOf(pathname, provider),
    url,
    model: model === undefined ? null : decodeURIComponent(model),
    problem,
  };
}

function providerOf(pathname: string, headers: Record<string, unknown>): ModelProvider {
  const isSigned = /^AWS4-/.test(String(headers.authorization ?? ''));
  if (isSigned || /^\/model\/[^/]+\/(?:converse|invoke)/.test(pathname)) return 'bedrock';
  if (/\/v1(?:alpha|beta)\w*\//.test(pathname) || /\/models\/[^/]+:\w+$/.test(pathname)) return 'google';
  if (/^\/openai\//.test(pathname) || /^(?:\/v1)?\/deployments\//.test(pathname)) return 'azure';
  return 'anthropic-version' in headers || /\/messages(?:\/|$)/.test(pathname) ? 'anthropic' : 'openai';
}

/** Nothing is sent to it. */
const NOWHERE = new URL('http://unknown.invalid');

function baseOf(provider: ModelProvider, env: Environment): Pick<ModelTarget, 'problem'> & { base: URL } {
  if (provider === 'bedrock') {
    const why = 'a request to Bedrock is signed for the address that it is sent to, so it cannot be sent on from here';
    return { base: NOWHERE, problem: `${why}. Observe the agent by its spans (observe: otel)` };
  }
  const { variable, address } = provider === 'azure' ? { variable: AZURE_VARIABLE, address: '' } : PROVIDERS[provider];
  const own = (env[variable] ?? '').trim() || address;
  const base = URL.parse(own);
  if (base) return { base, problem: null };
  const what = own === '' ? 'is not set' : 'is not a URL';
  return { base: NOWHERE, problem: `${variable} ${what} where Salvo runs, so nobody knows where a request is sent` };
}

/** Some SDKs expect the version in the base URL and others add it: it is there once. */
function joined(base: string, pathname: string, provider: ModelProvider): string {
  if (provider === 'google' || provider === 'bedrock') return `${base}${pathname}`;
  const rest = pathname.replace(/^\/v1(?=\/)/, '');
  // With `OPENAI_BASE_URL` in place of its endpoint, the SDK leaves out the first part.
  if (provider === 'azure') return `${base}${rest.replace(/^(?=\/deployments\/)/, '/openai')}`;
  return /\/v\d+$/.test(base) || provider === 'openai' ? `${base}${rest}` : `${base}/v1${rest}`;
}

function apiOf(pathname: string, provider: ModelProvider): ModelApi | null {
  if (provider === 'bedrock') return null;
  if (provider === 'google') return /:(?:generateContent|streamGenerateContent)$/.test(pathname) ? 'gemini' : null;
  if (provider === 'anthropic') return /\/messages$/.test(pathname) ? 'messages' : null;
  if (/\/chat\/completions$/.test(pathname)) return 'chat';
  return /\/responses$/.test(pathname) ? 'responses' : null;
}

/** Whether a request would come back to the recorder: the variables of a server were set for Salvo, too. */
export function isLoop({ url }: ModelTarget, port: number | undefined): boolean {
  return Number(url.port) === port && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

import type { AdapterOptions } from './adapter-options-schema.ts';
import { SDKS, type SdkOptions, sdkBaseUrl } from './call/api-key.ts';
import { namedVariables } from './call/expand-headers.ts';

type Environment = Record<string, string | undefined>;

/** A variable whose value leaves the process because of an adapter. */
export interface SentVariable {
  /** Null: a package reads one that only its own documentation names. */
  variable: string | null;
  /** The server, with its port if that is unusual. Null: a program, or the server of a provider's package. */
  host: string | null;
}

/**
 * The variables that an adapter sends to servers and programs, without those that go where everybody expects it: the
 * usual key of a provider to the provider itself, or to the server that the environment names instead.
 */
export function sentVariables(options: AdapterOptions, env: Environment): SentVariable[] {
  switch (options.type) {
    case 'openai':
    case 'anthropic':
      return sentBySdk(options, env);
    case 'ai-sdk': {
      const host = options.base_url === undefined ? null : new URL(options.base_url).host;
      const readsItsOwn = options.api_key_env === undefined && !options.package.endsWith('/openai-compatible');
      const unnamed = readsItsOwn && host !== null ? [{ variable: null, host }] : [];
      return [...namedVariables(options).map((variable) => ({ variable, host })), ...unnamed];
    }
    case 'http':
    case 'a2a':
    case 'ag-ui': {
      const { host } = new URL(options.url);
      return namedVariables(options).map((variable) => ({ variable, host }));
    }
    case 'exec':
      return (options.env ?? []).map((variable) => ({ variable, host: null }));
    case 'llama':
    case 'scripted':
    case 'module':
      return [];
  }
}

function sentBySdk(options: SdkOptions, env: Environment): SentVariable[] {
  const { keyVariable, alsoSent, host: own } = SDKS[options.type];
  const { host, protocol } = new URL(sdkBaseUrl(options, env) ?? `https://${own}`);
  const usual: string[] = [keyVariable, ...alsoSent];
  const isUsualPlace = options.base_url === undefined || (protocol === 'https:' && host === own);
  // A server elsewhere may expect the key, although it is not set at the moment. One on this machine needs none.
  const isExpected = (name: string): boolean => name === keyVariable && !isOwnMachine(host);
  const unwritten = (options.api_key_env === undefined ? usual : alsoSent).filter(
    (name) => env[name] || isExpected(name),
  );
  const all = [...namedVariables(options), ...unwritten].map((variable) => ({ variable, host }));
  return all.filter(({ variable }) => !isUsualPlace || !usual.includes(variable));
}

/** Of this machine. */
function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
}

import { AdapterError } from '../adapter-error.ts';

export interface NamingOptions {
  /** Of the adapter: some types name no variables. */
  type?: string;
  api_key_env?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** Replaces `${NAME}` in the values of headers from the environment, so that no key has to be written in a file. */
export function expandHeaders(
  headers: Record<string, string> | undefined,
  env: Record<string, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, expand({ name, value, env })]));
}

/** The names of the environment variables in the headers. */
function headerVariables(headers: Record<string, string> | undefined): string[] {
  return Object.values(headers ?? {}).flatMap((value) => [...value.matchAll(VARIABLE)].map((match) => match[1] ?? ''));
}

/** The environment variables that an adapter names, for its key and in its headers. */
export function namedVariables({ api_key_env, headers }: NamingOptions): string[] {
  return [...(api_key_env ? [api_key_env] : []), ...headerVariables(headers)];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

function expand({ name, value, env }: { name: string; value: string; env: Record<string, string | undefined> }) {
  return value.replace(VARIABLE, (_, variable: string) => {
    const found = env[variable];
    if (found) return found;
    throw new AdapterError(
      'auth',
      `The header ${name} needs the environment variable ${variable}, which is not set. Set it, or remove the header from the adapter in salvo.yaml.`,
    );
  });
}

import type { AdapterContext } from './adapter-factory.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { headerVariables } from './call/expand-headers.ts';

/** Shorter values are placeholders such as "none": redacting them would remove ordinary words. */
const SHORTEST_SECRET = 8;

const SECRET_NAME = /(^|_)(API_?KEY|ACCESS_KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i;

/** The values of all secrets that adapters may send, so that redaction removes them wherever they occur. */
export function adapterSecrets({ adapters, env }: Pick<AdapterContext, 'adapters' | 'env'>): string[] {
  const named = Object.values(adapters).flatMap(secretVariables);
  // Provider packages read variables of their own, all of which are named like this.
  const keys = Object.keys(env).filter((name) => /_API_KEY$/.test(name));
  const values = [...named, ...keys].map((name) => env[name]?.trim() ?? '');
  return [...new Set(values)].filter((value) => value.length >= SHORTEST_SECRET);
}

function secretVariables(options: AdapterOptions): string[] {
  const key = 'api_key_env' in options && options.api_key_env ? [options.api_key_env] : [];
  const inHeaders = 'headers' in options ? headerVariables(options.headers) : [];
  const passedOn = options.type === 'exec' ? (options.env ?? []).filter((name) => SECRET_NAME.test(name)) : [];
  return [...key, ...inHeaders, ...passedOn];
}

import { environmentSecrets, isSecretVariable } from '../secrets/environment-secrets.ts';
import type { AdapterContext } from './adapter-factory.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { headerVariables } from './call/expand-headers.ts';

/**
 * The values of all secrets that adapters may send, and of all variables with secret names: an agent may read its own
 * and quote them in an error. Redaction removes them wherever they occur.
 */
export function adapterSecrets({ adapters, env }: Pick<AdapterContext, 'adapters' | 'env'>): string[] {
  const named = Object.values(adapters)
    .flatMap(secretVariables)
    .map((name) => env[name]?.trim() ?? '');
  return [...new Set([...named, ...environmentSecrets(env)])].filter((value) => value !== '');
}

function secretVariables(options: AdapterOptions): string[] {
  const key = 'api_key_env' in options && options.api_key_env ? [options.api_key_env] : [];
  const inHeaders = 'headers' in options ? headerVariables(options.headers) : [];
  const passedOn = options.type === 'exec' ? (options.env ?? []).filter(isSecretVariable) : [];
  return [...key, ...inHeaders, ...passedOn];
}

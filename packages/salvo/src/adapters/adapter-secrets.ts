import { environmentSecrets, grantedSecrets } from '../secrets/environment-secrets.ts';
import type { AdapterContext } from './adapter-factory.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { headerVariables } from './call/expand-headers.ts';
import { isBasicVariable } from './program/program-environment.ts';

/**
 * The values of all secrets that adapters may send, of all variables that programs are granted, whatever their names, and
 * of all variables with secret names: an agent may read its own and quote them in an error. Redaction removes them wherever they occur.
 */
export function adapterSecrets({ adapters, env }: Pick<AdapterContext, 'adapters' | 'env'>): string[] {
  const named = Object.values(adapters)
    .flatMap(secretVariables)
    .map((name) => env[name]?.trim() ?? '');
  const granted = Object.values(adapters)
    .flatMap((options) => (options.type === 'exec' ? (options.env ?? []) : []))
    .filter((name) => !isBasicVariable(name));
  return [...new Set([...named, ...grantedSecrets(granted, env), ...environmentSecrets(env)])].filter(
    (value) => value !== '',
  );
}

function secretVariables(options: AdapterOptions): string[] {
  const key = 'api_key_env' in options && options.api_key_env ? [options.api_key_env] : [];
  const inHeaders = 'headers' in options ? headerVariables(options.headers) : [];
  return [...key, ...inHeaders];
}

import { environmentSecrets, grantedSecrets } from '../secrets/environment-secrets.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { namedVariables } from './call/expand-headers.ts';
import { isBasicVariable } from './program/program-environment.ts';

/**
 * The values of all secrets that adapters may send, of all variables that programs are granted, whatever their names, and
 * of all variables with secret names: an agent may read its own and quote them in an error. Redaction removes them wherever they occur.
 */
export function adapterSecrets({ adapters, env }: Pick<AdapterContext, 'adapters' | 'env'>): string[] {
  const named = Object.values(adapters)
    .flatMap((options) => namedVariables(options))
    .map((name) => env[name]?.trim() ?? '');
  const granted = Object.values(adapters)
    .flatMap((options) => (options.type === 'exec' ? (options.env ?? []) : []))
    .filter((name) => !isBasicVariable(name));
  return [...new Set([...named, ...grantedSecrets(granted, env), ...environmentSecrets(env)])].filter(
    (value) => value !== '',
  );
}

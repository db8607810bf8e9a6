import { environmentSecrets } from '../../secrets/environment-secrets.ts';
import { createRedactor, type Redactor } from '../../secrets/redactor.ts';
import { type NamingOptions, namedVariables } from './expand-headers.ts';

/**
 * Takes secrets out of an error's message: a server may echo the request, keys and headers included, and not every
 * message goes through the store before it is shown.
 */
export function createMessageRedactor(
  options: NamingOptions,
  env: Record<string, string | undefined>,
): (text: string) => string {
  let redactor: Redactor | undefined;
  return (text) => {
    redactor ??= createRedactor({
      customPatterns: [],
      secrets: [
        ...namedVariables(options).map((name) => env[name] ?? ''),
        // Provider packages read keys from variables of their own.
        ...environmentSecrets(env),
      ],
    });
    // Cut first: only the beginning is quoted, and an answer may have many megabytes.
    return redactor.text(text.slice(0, 5000));
  };
}

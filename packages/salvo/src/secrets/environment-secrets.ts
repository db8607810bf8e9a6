import { isSecretName, isSecretUnder } from './secret-names.ts';

/** Shorter values are placeholders such as "none". */
const SHORTEST = 8;
/** Other words may follow the secret one in the name of a variable: `API_KEY_PROD`, `DB_PASSWORD_OLD`. */
const SECRET_WORDS = /(^|_)(API_?KEY|ACCESS_KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?|PAT)(_[A-Z]+)?\d*$/i;
/** What names the place of a secret, or counts something. */
const HARMLESS_END = /_(FILE|PATH|DIR|URL|URI|NAME|ID|TYPE|LIMIT|COUNT|SIZE|TTL|EXPIRY|LENGTH|POLICY|VERSION|REGION)$/i;

/** Whether the name of an environment variable says that its value is a secret. */
function isSecretVariable(name: string): boolean {
  return isSecretName(name) || (SECRET_WORDS.test(name) && !HARMLESS_END.test(name));
}

/** The values of all environment variables that are secrets by their names, also of those that no adapter uses. */
export function environmentSecrets(env: Record<string, string | undefined>): string[] {
  return Object.entries(env).flatMap(([name, text = '']) => {
    const value = text.trim();
    if (value.length < SHORTEST || isPlace(value)) return [];
    if (isSecretVariable(name)) return isSecretName(name) && !isSecretUnder(name, value) ? [] : [value];
    return /(?:_|^)KEY$/i.test(name) && isKeyLike(value) ? [value] : [];
  });
}

/**
 * The values of variables that a program is granted by name. Their names need not say that they are secret; values that
 * can't be are left out: languages such as `en_GB.UTF-8`, and places.
 */
export function grantedSecrets(names: readonly string[], env: Record<string, string | undefined>): string[] {
  return names.flatMap((name) => {
    const value = env[name]?.trim() ?? '';
    return /^[a-z]{2}_[A-Z]{2}(?:\.[\w-]{1,20})?$/.test(value) || isPlace(value) ? [] : [value];
  });
}

/** `STRIPE_KEY` holds a secret, `PRIMARY_KEY` the name of a column. */
function isKeyLike(value: string): boolean {
  return value.length >= 16 && /^\S+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** Where a secret is kept: a file, or an address without a password and a query. */
function isPlace(value: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\/(?:[\w.-]+\/)+[\w.-]*\.\w{1,5}$|https?:\/\/[^?@#]*$)/.test(value);
}

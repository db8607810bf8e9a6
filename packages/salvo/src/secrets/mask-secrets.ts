import { replaceLabelled } from './labelled-secrets.ts';
import { isSecretName } from './secret-names.ts';
import { KEY_LIKE, replaceSecretForms } from './secret-shapes.ts';

/** The keys of a line, up to where the value begins. Bounded, so that a huge line costs no more than its length. */
const KEYS = /(?<![\w.-])([\w.-]{1,80})["']?\s{0,20}[:=]\s{0,20}/g;
/** After the scheme of an Authorization header, also a short word without a digit. */
const BEARER = /(?<=\bbearer\s{1,4})[^\s"'$*]{8,}/gi;
/** `Bearer ${NAME}` is how a credential should be given. */
const VARIABLE = /\$\{\w+\}/;

/** Whether a text has a secret in it that is known by its form, or what begins like one. */
export function looksLikeSecret(text: string): boolean {
  return maskKnownForms(text) !== text;
}

/**
 * A message with asterisks for everything that redaction would take out of it, and for what begins like a key. Its
 * length stays the same, so that columns stay true.
 */
export function maskSecrets(text: string): string {
  return replaceLabelled(maskKnownForms(text), stars);
}

/** Also masks whatever follows a secret name on a line of a file, such as `api_key: abc`. */
export function maskSourceLine(line: string): string {
  const masked = maskSecrets(line);
  for (const key of masked.matchAll(KEYS)) {
    const start = key.index + key[0].length;
    if (!isSecretName(key[1] ?? '') && !isMisusedVariable(key[1] ?? '', masked.slice(start))) continue;
    if (VARIABLE.test(masked.slice(start))) continue;
    return masked.slice(0, start) + stars(masked.slice(start));
  }
  return masked;
}

function maskKnownForms(text: string): string {
  const masked = replaceSecretForms(text, (secret) => (VARIABLE.test(secret) ? secret : stars(secret)));
  return masked.replace(KEY_LIKE, stars).replace(BEARER, stars);
}

function stars(text: string): string {
  return '*'.repeat(text.length);
}

/** `api_key_env` with something else than the name of a variable: most likely the key itself. */
function isMisusedVariable(name: string, value: string): boolean {
  return name.endsWith('_env') && !/^["']?[A-Z_][A-Z0-9_]*["']?\s*(?:[,}#]|$)/.test(value);
}

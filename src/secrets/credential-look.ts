/** Keys whose shape alone gives them away. */
const KEY_SHAPES =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bxox[abpr]-[\w-]{8,}|\bhf_[A-Za-z0-9]{16,}|\beyJ[\w-]{8,200}\.[\w-]{8,}(?:\.[\w-]+)?|\bBearer\s+[^\s"'$]{8,}/g;

/** The keys of a line, up to where the value begins. Bounded, so that a huge line costs no more than its length. */
const KEYS = /(?<![\w.-])([\w.-]{1,80})["']?\s{0,20}[:=]\s{0,20}/g;

const CREDENTIAL_WORDS = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'passwd',
  'password',
  'passphrase',
  'secret',
  'secrets',
  'token',
]);
const CREDENTIAL_PAIRS = new Set(['api key', 'access key', 'private key', 'secret key', 'account key', 'signing key']);

/** Whether a key's name says that its value is a credential: `api_key`, `authToken`; but not `max_tokens`. */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  // `api_key_env` holds the name of a variable, `token_count` a figure.
  const last = words.at(-1) ?? '';
  if (['env', 'count', 'limit', 'budget', 'type', 'name', 'id', 'ids'].includes(last)) return false;
  return words.some(
    (word, index) => CREDENTIAL_WORDS.has(word) || CREDENTIAL_PAIRS.has(`${word} ${words[index + 1] ?? ''}`),
  );
}

export function looksLikeCredential(text: string): boolean {
  return text.match(KEY_SHAPES) !== null;
}

/** The text with everything of the shape of a key starred out. */
export function maskKeys(text: string): string {
  return text.replace(KEY_SHAPES, (found) => '*'.repeat(found.length));
}

/** A line of a file with what looks like a credential starred out, of the same length so that columns stay true. */
export function maskCredentials(line: string): string {
  const masked = maskKeys(line);
  for (const key of masked.matchAll(KEYS)) {
    const start = key.index + key[0].length;
    if (!isCredentialName(key[1] ?? '') && !isMisusedVariable(key[1] ?? '', masked.slice(start))) continue;
    // `${NAME}` is how a credential should be given: there is nothing to hide.
    if (/\$\{\w+\}/.test(masked.slice(start))) continue;
    return masked.slice(0, start) + '*'.repeat(masked.length - start);
  }
  return masked;
}

/** `api_key_env` with something else than the name of a variable: most likely the key itself. */
function isMisusedVariable(name: string, value: string): boolean {
  return name.endsWith('_env') && !/^["']?[A-Z_][A-Z0-9_]*["']?\s*(?:[,}#]|$)/.test(value);
}

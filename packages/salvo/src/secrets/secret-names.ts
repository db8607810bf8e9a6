import { memoByWord } from '../text/memo.ts';

/**
 * Whether a name (an object's key, a variable, a header, an attribute) says that its value is a secret. The one rule for
 * names: redaction, diagnostics, Blue's rules and the gate use it. `authToken`, `auth_token` and `authtoken` are alike.
 */
export const isSecretName: (name: string) => boolean = memoByWord(saysSecret);

function saysSecret(name: string): boolean {
  if (name.length > 100 || !LIKELY.test(name)) return false;
  const words = wordsOf(name);
  while (words.length > 1 && QUALIFIERS.has(words.at(-1) ?? '')) words.pop();
  const last = (words.at(-1) ?? '').replace(FUSED_QUALIFIER, '');
  const before = words.at(-2) ?? '';
  if (SECRET_WORD.test(last)) return true;
  if (last === 'token') return !HARMLESS_TOKENS.has(before);
  if (last.endsWith('token')) return !HARMLESS_FUSED_TOKEN.test(last);
  if (last === 'key') return SECRET_KEYS.has(before);
  if (last === 'pass') return ACCOUNTS.has(before);
  // A personal access token: `GITHUB_PAT`.
  if (last === 'pat') return before !== '';
  return last === 'cookie' && (words.length === 1 || before === 'set' || before === 'session');
}

/** Whether a secret name is a password's: a password can be any word. */
export function isPasswordName(name: string): boolean {
  return /pass|pwd/i.test(name);
}

/** Whether the name says that this text is a secret, and the text doesn't say otherwise. */
export function isSecretUnder(name: string, text: string): boolean {
  if (!isSecretName(name) || isHarmlessValue(text)) return false;
  // A sentence under "token" is about tokens; a browser's cookie has a "="; PWD is the working directory.
  if (/token$/i.test(name)) return !/\s/.test(text.trim());
  if (/cookie$/i.test(name)) return text.includes('=');
  return !(/^(?:old)?pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:)/.test(text));
}

/**
 * Whether a value under a secret name is no secret: a placeholder, a reference to where the secret is kept, the type in
 * a schema, a message.
 */
function isHarmlessValue(value: string): boolean {
  return value.trim() === '' || HARMLESS_VALUES.has(value.trim().toLowerCase()) || REFERENCE.test(value.trim());
}

const LIKELY = /pass|pwd|secret|token|key|credential|authorization|cookie|auth$|bearer|pat$/i;
const SECRET_KEY_WORDS =
  'api access secret private signing encryption account auth master shared storage subscription service';
const SECRET_KEYS: ReadonlySet<string> = new Set(SECRET_KEY_WORDS.split(' '));
/** The end of a last word: names are also written without any separator, as `masterpassword` or `clientsecret`. */
const SECRET_WORD = new RegExp(
  `(?:passwords?|passwd|passphrase|passcode|secrets?|credentials?|authorization|(?:${SECRET_KEY_WORDS.replaceAll(' ', '|')})key)$|^(?:pwd|auth|bearer)$`,
);
/** Words before `token` that mean a part of a list or a text. */
const HARMLESS_TOKENS: ReadonlySet<string> = new Set(
  'page next previous prev continuation cursor sync pagination creation stop eos bos pad unk special per max min'.split(
    ' ',
  ),
);
const ACCOUNTS: ReadonlySet<string> = new Set(
  'db database user admin root smtp mail mysql pg postgres redis ftp'.split(' '),
);
const HARMLESS_FUSED_TOKEN = /(?:page|next|previous|continuation|cursor|sync|pagination|special)token$/;
/** `password_confirmation` and `secret_value` hold what `password` and `secret` hold. `wo` is Terraform's "write-only". */
const QUALIFIER_WORDS = 'confirmation confirm again repeat value string hash wo plaintext binary pem';
const QUALIFIERS: ReadonlySet<string> = new Set(QUALIFIER_WORDS.split(' '));
const FUSED_QUALIFIER = /(?<=secret|password|token|key)(?:value|string|wo|plaintext|binary|pem)$/;
const HARMLESS_VALUES: ReadonlySet<string> = new Set(
  (
    'string number integer boolean object array null nil none undefined true false yes no required optional missing ' +
    'invalid valid expired incorrect wrong empty unknown hidden redacted changed updated reset basic bearer granted denied oauth oauth2 '
  ).split(' '),
);
/**
 * A reference to a secret, or a placeholder for one: `$VAR`, `${VAR}`, `{{var}}`, `<your key>`, `%VAR%`, `****`,
 * `process.env.KEY`, a path, a function of CloudFormation, or our own marker; also after the scheme of a header.
 */
const REFERENCE =
  /^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken) )?(?:\$\w+|\$\{[^{}]*\}|\{\{[^{}]*\}\}|<[^<>]*>|%\w+%|[$*•.…-]+|x{4,}|~?\/[a-z0-9_./-]*|\/(?:Users|home|etc|var|tmp|opt|run|usr)\/.*|(?:process\.env|os\.environ|env|secrets|vars?|config|self|this)\.[\w.]+|!(?:Ref|GetAtt|Sub|ImportValue|FindInMap|If|Join|Select)|\[REDACTED(?::\w+)?\])$/;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

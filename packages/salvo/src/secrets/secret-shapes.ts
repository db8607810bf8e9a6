/**
 * Where a secret may begin: not in the middle of a word ("task-force" has no `sk-` key in it), but right after an
 * escape, because texts are often JSON or URLs inside a string (`\nsk-...`, `%20sk-...`).
 */
export const SECRET_START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))`;
/** The same for secrets that contain `_` and `-` and have to be searched to their end: each run of letters once. */
const RUN_START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))`;
/** A quote, at any depth of JSON inside JSON. */
const QUOTE = String.raw`\\{0,7}["']`;

/**
 * Keys and tokens that are known by their prefix. This is the one list of them: redaction, diagnostics, Blue's rules and
 * the gate use it. `key` is what surely is one; a source line that is only shown is masked after `prefix` alone.
 */
const KEY_SHAPES: readonly { prefix: string; key: string }[] = [
  {
    prefix: 'sk-',
    key: 'sk-(?:(?:proj|ant|or|svcacct|admin|lf)-[\\w-]{8,}|[A-Za-z0-9]{20,}[\\w-]*|(?=[A-Za-z_-]{0,60}\\d)[\\w-]{16,})',
  },
  { prefix: '[spr]k_', key: '[sr]k_(?:live|test)_[A-Za-z0-9]{10,}' },
  { prefix: 'whsec_', key: 'whsec_[A-Za-z0-9+/=]{16,}' },
  { prefix: 'gh[pousr]_', key: 'gh[pousr]_[A-Za-z0-9]{16,}' },
  { prefix: 'github_pat_', key: 'github_pat_\\w{20,}' },
  { prefix: 'glpat-', key: 'glpat-[\\w-]{20,}' },
  { prefix: 'do[opr]_v1_', key: 'do[opr]_v1_[a-f0-9]{32,}' },
  { prefix: 'npm_', key: 'npm_[A-Za-z0-9]{36,}' },
  { prefix: 'hf_', key: 'hf_[A-Za-z0-9]{30,}' },
  { prefix: 'gsk_', key: 'gsk_[A-Za-z0-9]{40,}' },
  { prefix: 'xai-', key: 'xai-[A-Za-z0-9]{40,}' },
  { prefix: 'AIza', key: 'AIza[\\w-]{30,}' },
  { prefix: 'xox[a-z]-', key: 'xox[a-z]-[A-Za-z0-9-]{10,}' },
  { prefix: 'xapp-', key: 'xapp-[A-Za-z0-9-]{20,}' },
  { prefix: 'SG\\.', key: 'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}' },
  { prefix: 'ya29\\.', key: 'ya29\\.[\\w-]{20,}' },
  { prefix: 'SK[0-9a-f]{8}', key: 'SK[0-9a-f]{32}(?![A-Za-z0-9])' },
  { prefix: 'A[KS]IA', key: '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])' },
];

const QUERY_NAMES = 'sig|signature|x-amz-signature|x-goog-signature|key|code|auth|session|sessionid|sid|jwt|ticket';

/**
 * Secrets that are known by their form: the whole match except the groups `before` and `after`.
 * Every pattern takes linear time on any text: unbounded parts are last, or can't start again inside themselves.
 * `npm run bench hostile-text` tries each with megabytes of beginnings.
 */
const SECRET_FORMS: readonly { kind: string; pattern: RegExp }[] = [
  {
    // Whole blocks first; then what is left of a block that was cut off.
    kind: 'private_key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!-))*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{20,})+)/g,
  },
  {
    kind: 'authorization',
    pattern: new RegExp(
      String.raw`(?<before>authorization(?:${QUOTE})?\s{0,4}[:=]\s{0,4}(?:${QUOTE})?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,4})(?!\$\{[\w.]{1,80}\}(?:[\s\x60"',;]|$))[^\s"'\\,;\[\]]{3,}(?:,\s?[a-z]+=[^\s"'\\,;\[\]]+)*`,
      'gi',
    ),
  },
  {
    // Without the header's name a word may follow ("bearer authentication"): only with a digit or unusual length.
    kind: 'bearer',
    pattern: /(?<before>\bbearer(?:\s|%20|\+){1,4})(?:(?=[A-Za-z._~+/-]{0,60}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{16,})/gi,
  },
  {
    kind: 'cookie',
    pattern: new RegExp(
      String.raw`(?<before>\b(?:set-)?cookie2?(?:${QUOTE})?\s{0,4}:\s{0,4}(?:${QUOTE})?)[^\s=;:"'\\,\[\]]{1,200}=(?:[^\r\n"'\\\[\]]|\\{1,7}"[^"\\\r\n,:{}\[\]]{1,500}\\{1,7}"(?=;)|"[^"\\\r\n,:{}\[\]]{1,500}"(?=;|\s*$))*`,
      'gim',
    ),
  },
  {
    // A variable in its place says nothing.
    kind: 'url_password',
    pattern:
      /(?<before>:\/\/[^\s/?#:@"'<>\\]{0,100}:)(?!\$(?:\{[A-Z_]\w{0,60}(?::\?)?\}|[A-Z_]{1,60})@)[^\s/?#@"'<>\\[\]]{1,500}(?<after>@)/g,
  },
  {
    // A token instead of a user's name.
    kind: 'url_password',
    pattern: /(?<before>:\/\/)(?=[^\s/?#:@"'<>\\[\]]{0,60}\d)[^\s/?#:@"'<>\\[\]]{16,500}(?<after>@)/g,
  },
  {
    // Everybody who knows such an address may post to it.
    kind: 'webhook',
    pattern:
      /(?<before>\b(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com\/webhookb2)\/)[\w@/%.-]{16,500}/gi,
  },
  {
    // Signatures and keys in the query of an address. Elsewhere these names are too short to mean a secret.
    kind: 'url_secret',
    pattern: new RegExp(
      String.raw`(?<before>(?:[?&;]|\\u0026|%3F|%26)(?:${QUERY_NAMES})(?:=|%3D))(?=[^&\s"'<>\\\[\];]{0,60}\d)[^&\s"'<>\\\[\];]{16,}`,
      'gi',
    ),
  },
  {
    kind: 'jwt',
    pattern: new RegExp(String.raw`${RUN_START}eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*(?:\.[\w-]+){0,2}`, 'g'),
  },
  { kind: 'api_key', pattern: new RegExp(`${SECRET_START}(?:${KEY_SHAPES.map(({ key }) => key).join('|')})`, 'g') },
  {
    kind: 'secret',
    pattern:
      /(?<before><(?:\w{1,20}:)?(?:password|passwd|secret|token|api[_-]?key|client[_-]?secret)>)[^<>[\]]{1,2000}(?=<\/)/gi,
  },
];

/** The first secret that is known by its form and that `isSecret` accepts, with what surrounds it. */
export function findSecretForm(
  text: string,
  isSecret: (secret: string) => boolean,
): { match: string; index: number } | null {
  if (!FORM_WORDS.test(text) && !hasSuspiciousForm(text)) return null;
  for (const { pattern } of SECRET_FORMS) {
    for (const { match, index, start, end } of secretsOfForm(text, pattern)) {
      if (isSecret(text.slice(start, end))) return { match, index };
    }
  }
  return null;
}

/** The text with every secret that is known by its form replaced. What surrounds a secret stays. */
export function replaceSecretForms(text: string, replacement: (secret: string, kind: string) => string): string {
  let replaced = text;
  for (const { kind, pattern } of SECRET_FORMS) {
    let result = '';
    let done = 0;
    for (const { start, end } of secretsOfForm(replaced, pattern)) {
      result += replaced.slice(done, start) + replacement(replaced.slice(start, end), kind);
      done = end;
    }
    replaced = result + replaced.slice(done);
  }
  return replaced;
}

function* secretsOfForm(text: string, pattern: RegExp) {
  for (const { 0: match, index, groups } of text.matchAll(pattern)) {
    const { before = '', after = '' } = groups ?? {};
    yield { match, index, start: index + before.length, end: index + match.length - after.length };
  }
}

/** Whether a text may hold a secret, by its form or by a label. False for nearly every text, after two passes. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS_WORDS.test(text) || hasSuspiciousForm(text);
}

const KEY_PREFIXES = KEY_SHAPES.map(({ prefix }) => prefix).join('|');
const SUSPICIOUS_WORDS =
  /[_-]pat\b|passw|passphrase|passcode|pwd|secret|token|[a-z][_ -]?key|credential|authorization|bearer|cookie|_pass\b/i;
const FORM_WORDS = /authorization|bearer|cookie|<(?:\w{1,20}:)?(?:passw|secret|token|api|client)/i;
/** Cheap pre-filter: every match of SUSPICIOUS_FORMS contains one of these. */
const SUSPICIOUS_CHARACTERS = /[_?&;-]|:\/\/|\.com\/|%26|%3F|u0026|AIza|A[KS]IA|eyJ|SG\.|SK[0-9a-f]|ya29\./;
const SUSPICIOUS_FORMS = new RegExp(
  `${KEY_PREFIXES}|eyJ|PRIVATE KEY|://[^\\s/]{0,100}:|://[^\\s/@]{16,500}@|[?&;6F][A-Za-z-]{3,20}(?:=|%3D)|hooks\\.slack|discord|webhook`,
);

function hasSuspiciousForm(text: string): boolean {
  return SUSPICIOUS_CHARACTERS.test(text) && SUSPICIOUS_FORMS.test(text);
}

/** What begins like a key: hidden in a source line that is shown, where hiding too much does no harm. */
export const KEY_LIKE = new RegExp(`${SECRET_START}(?:${KEY_PREFIXES})[A-Za-z0-9-]{8,}[\\w.-]*`, 'g');

/**
 * Keys that local servers require but don't check, passwords that everybody knows, and settings. They are words of
 * ordinary texts, and not secret.
 */
export const TRIVIAL_SECRETS: ReadonlySet<string> = new Set(
  [
    'ollama lm-studio lmstudio llama.cpp not-needed not_needed no-key-required sk-no-key-required placeholder',
    'password passw0rd password1 password123 changeme changeit letmein1 12345678 123456789 1234567890 minioadmin',
    'postgres postgresql mysqlroot administrator anonymous username localhost example examples test-key test1234',
    'production development staging testing internal external default defaults enabled disabled required optional',
    'undefined unknown standard automatic manual inherit inherited redacted secret123 your-api-key your_api_key',
  ].flatMap((line) => line.split(' ')),
);

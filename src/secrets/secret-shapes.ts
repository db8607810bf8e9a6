/** A secret that is known by its form. The whole match is replaced, but for the groups `before` and `after`. */
export interface RedactionPattern {
  kind: string;
  pattern: RegExp;
}

/**
 * Where a secret may begin: not in the middle of a word ("task-force" has no `sk-` key in it), but right after an
 * escape, because texts are often JSON or URLs inside a string (`\nsk-...`, `%20sk-...`).
 */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))`;
/** The same for secrets that contain `_` and `-` and have to be searched to their end: each run of letters once. */
const RUN_START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))`;
/** A quote, at any depth of JSON inside JSON. */
const QUOTE = String.raw`\\{0,7}["']`;

/**
 * Every pattern takes linear time on any text: unbounded parts are last, or can't start again inside themselves.
 * The tests try each with a megabyte of its own beginnings.
 */
export const REDACTION_PATTERNS: readonly RedactionPattern[] = [
  {
    // Whole blocks first; then what is left of a block that was cut off.
    kind: 'private_key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!-))*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{20,})+)/g,
  },
  {
    kind: 'authorization',
    pattern: new RegExp(
      String.raw`(?<before>authorization(?:${QUOTE})?\s{0,4}[:=]\s{0,4}(?:${QUOTE})?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,4})[^\s"'\\,;\[\]]{3,}(?:,\s?[a-z]+=[^\s"'\\,;\[\]]+)*`,
      'gi',
    ),
  },
  {
    // Without the header's name a word may follow ("bearer authentication"): it takes a digit or unusual length.
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
    kind: 'url_password',
    pattern: /(?<before>:\/\/[^\s/?#:@"'<>\\]{0,100}:)[^\s/?#@"'<>\\[\]]{1,500}(?<after>@)/g,
  },
  {
    kind: 'jwt',
    pattern: new RegExp(String.raw`${RUN_START}eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*(?:\.[\w-]+){0,2}`, 'g'),
  },
  {
    kind: 'api_key',
    pattern: new RegExp(
      `${START}(?:${[
        'sk-(?:proj|ant|or|svcacct|admin|lf)-[\\w-]{8,}',
        'sk-[A-Za-z0-9]{20,}[\\w-]*',
        'sk-(?=[A-Za-z_-]{0,60}\\d)[\\w-]{16,}',
        '[sr]k_(?:live|test)_[A-Za-z0-9]{10,}',
        'whsec_[A-Za-z0-9+/=]{16,}',
        'gh[pousr]_[A-Za-z0-9]{16,}',
        'github_pat_\\w{20,}',
        'glpat-[\\w-]{20,}',
        'npm_[A-Za-z0-9]{36,}',
        'hf_[A-Za-z0-9]{30,}',
        'gsk_[A-Za-z0-9]{40,}',
        'xai-[A-Za-z0-9]{40,}',
        'AIza[\\w-]{30,}',
        'xox[a-z]-[A-Za-z0-9-]{10,}',
        'xapp-[A-Za-z0-9-]{20,}',
        'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
        '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
      ].join('|')})`,
      'g',
    ),
  },
  {
    kind: 'secret',
    pattern:
      /(?<before><(?:\w{1,20}:)?(?:password|passwd|secret|token|api[_-]?key|client[_-]?secret)>)[^<>[\]]{1,2000}(?=<\/)/gi,
  },
];

/**
 * What every secret above, and every labelled one, has in it. Nearly all texts have none of it, and are done with after
 * these two passes.
 */
export const SUSPICIOUS_WORDS =
  /passw|passphrase|passcode|pwd|secret|token|[a-z][_ -]?key|credential|authorization|bearer|cookie|_pass\b/i;
/** Nothing of SUSPICIOUS_FORMS without one of these: a far quicker look. */
export const SUSPICIOUS_SIGNS = /[_-]|AIza|A[KS]IA|eyJ|SG\.|:\/\//;
export const SUSPICIOUS_FORMS =
  /[sr]k[-_]|whsec_|gh[pousr]_|github_pat|glpat|npm_|hf_|xai-|AIza|A[KS]IA|xox|xapp|eyJ|SG\.|PRIVATE KEY|:\/\/[^\s/]{0,100}:/;

/** Keys that local servers ask for but don't check. They are words of ordinary texts, and nobody's secret. */
export const PLACEHOLDER_SECRETS: ReadonlySet<string> = new Set([
  'ollama',
  'lm-studio',
  'lmstudio',
  'llama.cpp',
  'not-needed',
  'not_needed',
  'no-key-required',
  'sk-no-key-required',
  'placeholder',
]);

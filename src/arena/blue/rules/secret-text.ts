/** Keys and tokens that are recognised by their look alone. AWS's own documentation uses ones that end in EXAMPLE. */
const SHAPES: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
  /-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bgithub_pat_[A-Za-z0-9_]{22}/,
  /\bglpat-[A-Za-z0-9_-]{20}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10}/,
  /\bsk_live_[A-Za-z0-9]{16}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/,
  /[a-z][a-z0-9+]{1,14}:\/\/[^\s:/@"'$<{]{1,64}:[^\s:/@"'$<{]{3,128}@/i,
];

/** The key or token that stands in a text, or null. */
export function secretShapeIn(text: string): string | null {
  for (const shape of SHAPES) {
    const found = shape.exec(text)?.[0];
    if (found !== undefined && !found.endsWith('EXAMPLE')) return found;
  }
  return null;
}

const SECRET_WORDS =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secret|token|api_?key|access_?key|secret_?key|private_?key|signing_?key|encryption_?key|credentials?|auth_?key|db_?pass|pass)(?:_?\d+)?$/;

/** `DB_PASSWORD`, `apiToken`. What only tells where a secret is kept (`SECRET_ARN`) is none. */
export function isSecretName(name: string): boolean {
  if (name.length > 200) return false;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return SECRET_WORDS.test(words.toLowerCase());
}

/** Words that stand where a secret will be put later, and references to one that is kept elsewhere. */
const NO_SECRET =
  /^(?:$|true$|false$|null$|none$|\$|<|%|\{\{|arn:|https?:\/\/|ssm:|secretsmanager:|vault:|alias\/|\/|\*+$|x+$)/i;

/** Whether a text may well be a secret, given that it stands where one belongs. */
export function isPlainSecret(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim();
  // `prod/orders/password` is the name of a secret.
  return (
    text.length >= 4 && text.length <= 10_000 && !NO_SECRET.test(text) && !/^[a-z0-9_-]+(?:\/[a-z0-9_-]+)+$/.test(text)
  );
}

const ASSIGNMENT =
  /(?:^|[\s;"'])(?:export\s+|--)?([A-Za-z][A-Za-z0-9_-]{2,60})\s{0,2}[=:]\s{0,2}(["']?)([^\s"'$`<]{4,200})\2/g;

/** What a script or a settings file tells that it should not: a line of it, or null. */
export function secretInScript(script: string): string | null {
  for (const line of script.split(/\r?\n/)) {
    if (line.length > 5000 || /^\s*#/.test(line)) continue;
    const shape = secretShapeIn(line);
    if (shape !== null) return shape;
    for (const [, name = '', , value = ''] of line.matchAll(ASSIGNMENT)) {
      if (isSecretName(name) && isPlainSecret(value)) return line.trim();
    }
  }
  return null;
}

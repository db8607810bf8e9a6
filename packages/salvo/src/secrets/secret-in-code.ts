import { isSecretName } from './secret-names.ts';
import { findSecretForm } from './secret-shapes.ts';

/** A reference to a value that is kept elsewhere: `${var.token}`, `$TOKEN`, `<token>`, `{{resolve:...}}`, `%TOKEN%`. */
const REFERENCE = /^(?:\$|<|\{|%)/;

/** The key, token or password in a text that is known by its form, or null. */
export function secretShapeIn(text: string): string | null {
  const header = PRIVATE_KEY_HEADER.exec(text)?.[0];
  if (header !== undefined) return header;
  // AWS's own documentation has keys that end in EXAMPLE.
  const found = findSecretForm(text, (secret) => !REFERENCE.test(secret) && !secret.endsWith('EXAMPLE'));
  return found && withScheme(text, found.index) + found.match;
}

/** Where a private key begins. In code this much is enough: the rest may be a variable. */
const PRIVATE_KEY_HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** The scheme of a URL, when a match begins behind it. */
function withScheme(text: string, index: number): string {
  if (!text.startsWith('://', index)) return '';
  return /[a-z][a-z0-9+]{0,14}$/i.exec(text.slice(Math.max(0, index - 15), index))?.[0] ?? '';
}

/** Words instead of a secret, and references to one that is kept elsewhere. */
const NO_SECRET =
  /^(?:$|true$|false$|null$|none$|\$|<|%|\{\{|arn:|https?:\/\/|ssm:|secretsmanager:|vault:|alias\/|\/|\*+$|x+$)/i;

/** Whether a value in infrastructure code is likely a secret, given that it is where a secret belongs. */
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

/** The secret in a script or a settings file, or the line that assigns it; null when there is none. */
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

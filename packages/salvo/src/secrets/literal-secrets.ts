import { SECRET_START, TRIVIAL_SECRETS } from './secret-shapes.ts';

/** Shorter values are words and numbers of ordinary texts. */
const SHORTEST = 6;
/** Shorter values are searched as whole words only: `nse1` would also be found in "response1". */
const SHORTEST_ANYWHERE = 8;

/** One pattern for the given secrets as plain text and as encoded in JSON, URLs and base64. Null without any. */
export function literalPattern(secrets: readonly string[]): RegExp | null {
  const values = new Set(secrets.map((secret) => secret.trim()).filter(isSecret));
  if (values.size === 0) return null;
  const forms = [...values].flatMap((secret) => [...encodedForms(secret)].map((form) => ({ secret, form })));
  const patterns = new Map<string, string>();
  // The longest first, so that a secret that contains another is replaced as a whole.
  for (const { secret, form } of forms.sort((a, b) => b.form.length - a.form.length)) {
    const escaped = escapeRegExp(form);
    patterns.set(form, form === secret && isWord(secret) ? `${SECRET_START}${escaped}(?![A-Za-z0-9])` : escaped);
  }
  return new RegExp([...patterns.values()].join('|'), 'g');
}

function isSecret(value: string): boolean {
  if (value.length < SHORTEST || !value.isWellFormed() || TRIVIAL_SECRETS.has(value.toLowerCase())) return false;
  if (/^(.)\1*$/s.test(value)) return false;
  return value.length >= SHORTEST_ANYWHERE || (/\d/.test(value) && /[a-z]/i.test(value));
}

/** Whether a secret may also be a part of ordinary words and numbers: it is short, or only letters or digits. */
function isWord(secret: string): boolean {
  return secret.length < SHORTEST_ANYWHERE || /^(?:[A-Za-z]+|\d+)$/.test(secret);
}

function encodedForms(secret: string): Set<string> {
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...(secret.length > SHORTEST ? base64Forms(secret) : []),
  ]);
}

/** Inside longer base64 (`user:password` in a Basic header) a text has one of three forms, by its offset. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, 'utf8')]);
    const encoded = bytes.toString('base64').replace(/={1,2}$/, '');
    // The characters at either end also carry bits of the neighbours.
    const own = encoded.slice(offset === 0 ? 0 : offset + 1, bytes.length % 3 === 0 ? undefined : -1);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

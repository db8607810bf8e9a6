import { PLACEHOLDER_SECRETS } from './secret-shapes.ts';

/** Shorter values are words and numbers of ordinary texts. */
const SHORTEST = 6;

/** One pattern for the given secrets as plain text and as encoded in JSON, URLs and base64. Null without any. */
export function literalPattern(secrets: readonly string[]): RegExp | null {
  const forms = new Set(
    secrets
      .map((secret) => secret.trim())
      .filter(isSecret)
      .flatMap(encodedForms),
  );
  if (forms.size === 0) return null;
  // The longest first, so that a secret that contains another is replaced as a whole.
  const alternatives = [...forms].sort((a, b) => b.length - a.length).map(escapeRegExp);
  return new RegExp(alternatives.join('|'), 'g');
}

function isSecret(value: string): boolean {
  return value.length >= SHORTEST && value.isWellFormed() && !PLACEHOLDER_SECRETS.has(value.toLowerCase());
}

function encodedForms(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...(secret.length > SHORTEST ? base64Forms(secret) : []),
  ];
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

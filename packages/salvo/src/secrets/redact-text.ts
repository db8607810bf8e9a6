import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { compilePattern, type Pattern, type TextSpan } from '../text/pattern.ts';
import { replaceLabelled } from './labelled-secrets.ts';
import { isSuspicious, replaceSecretForms, SECRET_START, TRIVIAL_SECRETS } from './secret-shapes.ts';

export type RedactText = (text: string) => string;

/** When a secret is taken out, its two sides may together be a new one. No real text needs more rounds than this. */
const MOST_ROUNDS = 4;
/** Texts without secrets are remembered: the same keys, prompts and results occur in every trial. */
const CLEAN_LIMIT = 1000;
const CLEAN_LENGTH = 4096;

export function createTextRedactor(options: {
  customPatterns: readonly string[];
  secrets: readonly string[];
}): RedactText {
  const literals = literalPattern(options.secrets);
  const customs = options.customPatterns.map(compileCustomPattern);

  function redactOnce(text: string): string {
    let redacted = text;
    if (literals !== null && redacted.search(literals) !== -1)
      redacted = replaceSpans(redacted, matchSpans(literals, redacted), '[REDACTED:secret]');
    if (isSuspicious(redacted)) redacted = redactKnownForms(redacted);
    for (const custom of customs) redacted = replaceSpans(redacted, custom.matches(redacted), '[REDACTED:custom]');
    return redacted;
  }

  const clean = new Set<string>();
  return (text) => {
    if (clean.has(text)) return text;
    let before = text;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const after = redactOnce(before);
      if (after === before) break;
      before = after;
    }
    if (before.length <= CLEAN_LENGTH) {
      if (clean.size >= CLEAN_LIMIT) clean.clear();
      clean.add(before);
    }
    return before;
  };
}

function redactKnownForms(text: string): string {
  const redacted = replaceSecretForms(text, (_secret, kind) => `[REDACTED:${kind}]`);
  return replaceLabelled(redacted, () => '[REDACTED:secret]');
}

/** A project's own pattern. RE2: no pattern can hang, whatever the text. */
function compileCustomPattern(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (cause) {
    const entry = `The custom_redaction_patterns entry ${JSON.stringify(pattern)} is not a valid regular expression`;
    throw new SalvoError('PATTERN_INVALID', `${entry}. ${errorMessage(cause)}`, { cause });
  }
}

const MARKERS = /\[REDACTED(?::\w+)?\]/g;

function matchSpans(pattern: RegExp, text: string): TextSpan[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
}

/**
 * Replaces each span by the marker. A pattern can also match inside an earlier marker, which then stays (`\w+` matches
 * every marker), or across one, which is then replaced as a whole.
 */
function replaceSpans(text: string, spans: readonly TextSpan[], marker: string): string {
  if (spans.length === 0) return text;
  const markers = text.includes('[REDACTED') ? matchSpans(MARKERS, text) : [];
  let next = 0;
  let redacted = '';
  let done = 0;
  for (const span of spans) {
    let { start, end } = span;
    while ((markers[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const first = markers[next];
    if (first !== undefined && first.start <= start && end <= first.end) continue;
    if (first !== undefined && first.start < start) start = first.start;
    for (let at = next; (markers[at]?.start ?? Number.POSITIVE_INFINITY) < end; at++) {
      end = Math.max(end, markers[at]?.end ?? end);
      next = at;
    }
    if (end <= start || end <= done) continue;
    redacted += start < done ? '' : text.slice(done, start) + marker;
    done = end;
  }
  return redacted + text.slice(done);
}

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

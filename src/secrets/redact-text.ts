import { compilePattern, type Pattern } from '../text/pattern.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { replaceLabelled } from './labelled-secrets.ts';
import { literalPattern } from './literal-secrets.ts';
import { SECRET_FORMS, SUSPICIOUS_CHARACTERS, SUSPICIOUS_FORMS, SUSPICIOUS_WORDS } from './secret-shapes.ts';
import { matchSpans, replaceSpans } from './spans.ts';

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

function isSuspicious(text: string): boolean {
  return SUSPICIOUS_WORDS.test(text) || (SUSPICIOUS_CHARACTERS.test(text) && SUSPICIOUS_FORMS.test(text));
}

function redactKnownForms(text: string): string {
  let redacted = text;
  for (const { kind, pattern } of SECRET_FORMS) {
    redacted = redacted.replace(pattern, (...match: unknown[]) => {
      const groups = match.at(-1);
      const { before = '', after = '' } = isGroups(groups) ? groups : {};
      return `${before}[REDACTED:${kind}]${after}`;
    });
  }
  return replaceLabelled(redacted, () => '[REDACTED:secret]');
}

function isGroups(value: unknown): value is { before?: string; after?: string } {
  return typeof value === 'object' && value !== null;
}

/** A project's own pattern. RE2: no pattern can hang, whatever the text. */
function compileCustomPattern(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const entry = `The custom_redaction_patterns entry ${JSON.stringify(pattern)} is not a valid regular expression`;
    throw new SalvoError('REDACTION_PATTERN_INVALID', `${entry}. ${reason}`, { cause });
  }
}

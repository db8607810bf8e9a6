import { compileCustomPattern } from './custom-patterns.ts';
import { redactLabelled } from './labelled-secrets.ts';
import { literalPattern } from './literal-secrets.ts';
import { REDACTION_PATTERNS, SUSPICIOUS_FORMS, SUSPICIOUS_SIGNS, SUSPICIOUS_WORDS } from './secret-shapes.ts';
import { replaceSpans, spansOf } from './spans.ts';

export type RedactText = (text: string) => string;

/** Taking one secret out can put the two sides of it together to a new one. More rounds than this are nobody's text. */
const MOST_ROUNDS = 4;
/** Texts that had nothing to take out: the same keys, prompts and results come back in every trial. */
const CLEAN_LIMIT = 1000;
const CLEAN_LENGTH = 4096;

export async function createTextRedactor(options: {
  customPatterns: readonly string[];
  secrets: readonly string[];
}): Promise<RedactText> {
  const literals = literalPattern(options.secrets);
  const customs = await Promise.all(options.customPatterns.map(compileCustomPattern));

  function redactOnce(text: string): string {
    let redacted = text;
    if (literals !== null && redacted.search(literals) !== -1)
      redacted = replaceSpans(redacted, spansOf(literals, redacted), '[REDACTED:secret]');
    if (isSuspicious(redacted)) redacted = redactKnownForms(redacted);
    for (const spans of customs) redacted = replaceSpans(redacted, spans(redacted), '[REDACTED:custom]');
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
  return SUSPICIOUS_WORDS.test(text) || (SUSPICIOUS_SIGNS.test(text) && SUSPICIOUS_FORMS.test(text));
}

function redactKnownForms(text: string): string {
  let redacted = text;
  for (const { kind, pattern } of REDACTION_PATTERNS) {
    redacted = redacted.replace(pattern, (...match: unknown[]) => {
      const groups = match.at(-1);
      const { before = '', after = '' } = isGroups(groups) ? groups : {};
      return `${before}[REDACTED:${kind}]${after}`;
    });
  }
  return redactLabelled(redacted, '[REDACTED:secret]');
}

function isGroups(value: unknown): value is { before?: string; after?: string } {
  return typeof value === 'object' && value !== null;
}

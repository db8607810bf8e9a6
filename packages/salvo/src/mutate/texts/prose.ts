const ENGLISH = new Set(
  'the a an is are was were to of and in on for with your you i it this that have has be will can not at as we our my'.split(
    ' ',
  ),
);
const LEAST_WORDS = 5;

/** Whether a text is a few words of plain language, and neither data nor code. */
export function isProse(text: string): boolean {
  const trimmed = text.trim();
  if (/^[[{<]/.test(trimmed) || trimmed.includes('```') || trimmed.includes('|--')) return false;
  return wordsOf(trimmed).length >= LEAST_WORDS;
}

export function isEnglish(text: string): boolean {
  const words = wordsOf(text.toLowerCase());
  const known = words.filter((word) => ENGLISH.has(word)).length;
  return words.length > 0 && known >= 2 && known / words.length >= 0.15;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}']+/gu) ?? [];
}

const FORM =
  /\b(?:json|csv|yaml|xml|html|markdown|plain text|format|verbatim|exactly|only the|only with|just the|nothing else|(?:one|single|two|three) (?:words?|lines?|sentences?)|at most|no more than|fewer than|up to \d+|characters|haiku|poem|template)\b/i;

/** Whether instructions say how an answer has to look. */
export function demandsForm(instructions: readonly string[]): boolean {
  return instructions.some((text) => FORM.test(text));
}

const REFUSAL =
  /\b(?:can't|cannot|can not|could not|couldn't|unable|not able|won't|will not|not allowed|not permitted|sorry|apologi[sz]e|decline|refuse|error|failed|not possible|against (?:our|the|my)|don't have|do not have)\b/i;

/** Whether an answer may be a refusal, or say that something was not found. */
export function mayRefuse(text: string): boolean {
  return REFUSAL.test(text.replaceAll('’', "'"));
}

const FAREWELL =
  /\b(?:thanks|thank you|bye|goodbye|that's all|that is all|that will be all|no, that|nothing else|###\w+###)/i;

/** Whether a user only says goodbye, so that the answer to it says nothing. */
export function isFarewell(text: string): boolean {
  return FAREWELL.test(text) && !text.includes('?');
}

/** The sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== '');
}

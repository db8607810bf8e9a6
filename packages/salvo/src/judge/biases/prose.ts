import { isRecord } from '../../text/json/is-record.ts';

/** Longer answers are left out: a sentence more or less is nothing in them, and costs as much as the rest. */
const MOST_CHARACTERS = 20_000;
const FEWEST_WORDS = 4;
/** The share of words that are one of these in nearly all English prose. */
const FEWEST_ENGLISH = 0.1;

const ENGLISH = new Set(
  'the a is are was were of and to it its you your this that these with for has have had been be can not do does i we they would there from by at on as if or but my our please'.split(
    ' ',
  ),
);

/** Words of a task that asks for a certain form: what is added to such an answer would make it wrong. */
const FORM =
  /\b(?:only|exactly|nothing (?:else|more)|(?:one|single|two|three) (?:word|sentence|line|paragraph|character|colon)s?|json|yaml|csv|xml|html|sql|regex|markdown|brief|briefly|short|concise|concisely|at most|no more than|maximum|words|characters|verbatim|plain text|title|subject line|haiku|poem)\b/i;

/**
 * Why nothing can be added to an answer without changing what it says; null if it can be. The texts that are added are
 * English sentences.
 */
export function whyNotProse({ answer, asked }: { answer: string; asked: readonly string[] }): string | null {
  if (answer.trim() === '') return 'empty';
  if (answer.length > MOST_CHARACTERS) return `longer than ${MOST_CHARACTERS.toLocaleString('en')} characters`;
  if (isData(answer)) return 'code or data';
  const prose = withoutCode(answer);
  if (wordsOf(prose).length < FEWEST_WORDS) return prose === answer ? 'shorter than four words' : 'code or data';
  if (!isEnglish(prose)) return 'not in English';
  if (asked.some((text) => FORM.test(text.slice(0, MOST_CHARACTERS)))) return 'the task asks for a certain form';
  return null;
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => letter <= 'z');
  if (latin.length < 0.95 * letters.length) return false;
  const words = wordsOf(text);
  return words.filter((word) => ENGLISH.has(word)).length >= FEWEST_ENGLISH * words.length;
}

function isData(text: string): boolean {
  const trimmed = text.trim();
  if (/^[<[{]/.test(trimmed)) return trimmed.startsWith('<') || isJson(trimmed);
  const symbols = trimmed.match(/[{}()[\];=<>|\\]/g) ?? [];
  return symbols.length > 0.1 * trimmed.length;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isRecord(value);
  } catch {
    return false;
  }
}

function withoutCode(text: string): string {
  return text
    .split('```')
    .filter((_, index) => index % 2 === 0)
    .join('\n');
}

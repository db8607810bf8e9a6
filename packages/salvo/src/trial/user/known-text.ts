import { type CalendarDay, datesIn } from './calendar-days.ts';

/** What a user can know: texts in which the facts of its messages are looked up. */
export interface KnownText {
  /** Whether the letters and digits of a word occur, whatever is between them. */
  has(word: string): boolean;
  hasWord(word: string): boolean;
  /** Whether an id occurs that differs only in its digits, such as R-01 for R-99. */
  hasLikeId(word: string): boolean;
  /** E-mail addresses, without what is between their letters and digits. */
  addresses: readonly string[];
  numbers: readonly number[];
  dates: readonly CalendarDay[];
  /** Whether the texts speak of days before or after others, so that a user may count from a date. */
  countsDays: boolean;
  /** Whether they speak of a day such as tomorrow, whose date a user may say. */
  namesDays: boolean;
}

const COUNTS_DAYS = /\b(?:days?|weeks?) (?:later|earlier|after|before)\b|\b(?:next|following|previous) (?:day|week)\b/i;
const NAMES_DAYS =
  /\b(?:tomorrow|yesterday|(?:next|coming|last) (?:month|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b/i;

/** Enough for every conversation; longer texts are cut so that a message is checked in milliseconds. */
const MOST_CHARACTERS = 400_000;
const MOST_NUMBERS = 400;

export function knownText(texts: readonly string[]): KnownText {
  const text = texts.join('\n').slice(0, MOST_CHARACTERS).normalize('NFKC');
  const bare = bareWord(text);
  const words = new Set(withoutMarks(text).match(/[\p{L}\p{N}]+/gu) ?? []);
  const shapes = new Set((text.match(CAPITAL_ID) ?? []).filter((id) => /\d\D*\d/.test(id)).map(shapeOf));
  return {
    has: (word) => bare.includes(bareWord(word)),
    hasWord: (word) => words.has(withoutMarks(word)),
    hasLikeId: (word) => shapes.has(shapeOf(word)),
    addresses: addressesIn(text).map(bareWord),
    numbers: [...new Set(numbersIn(text).map(({ value }) => value))].slice(0, MOST_NUMBERS),
    dates: datesIn(text).flatMap(({ days }) => days),
    countsDays: COUNTS_DAYS.test(text),
    namesDays: NAMES_DAYS.test(text),
  };
}

/** Capital letters with digits after them, such as R-01 or AL10. */
const CAPITAL_ID = /(?<![\p{L}\p{N}_-])\p{Lu}{1,5}[-_]?\d{2,9}(?![\p{L}\p{N}])/gu;

function shapeOf(id: string): string {
  return id.replaceAll(/\d/g, '0');
}

export function bareWord(text: string): string {
  return withoutMarks(text).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** In small letters without accents: people write "Jose" for "José". */
function withoutMarks(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function addressesIn(text: string): string[] {
  return text.match(/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}/g) ?? [];
}

/** Numbers as they are written, with their values. */
export function numbersIn(text: string): { written: string; value: number; index: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,:_#-])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,4})?(?![\p{L}\p{N}]|:\d)/gu)].map(
    (match) => ({
      written: match[0],
      value: Number(match[0].replaceAll(',', '')),
      index: match.index,
    }),
  );
}

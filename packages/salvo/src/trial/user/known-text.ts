/** What a user can know: texts in which the facts of its messages are looked up. */
export interface KnownText {
  /** Whether the letters and digits of a word occur, whatever is between them. */
  has(word: string): boolean;
  hasWord(word: string): boolean;
  numbers: readonly number[];
  dates: readonly CalendarDay[];
  /** Whether the texts speak of days before or after others, so that a user may count from a date. */
  countsDays: boolean;
}

/** Year is null where a text does not say it. */
export interface CalendarDay {
  year: number | null;
  month: number;
  day: number;
}

const COUNTS_DAYS = /\b(?:days?|weeks?) (?:later|earlier|after|before)\b|\b(?:next|following|previous) (?:day|week)\b/i;

/** Enough for every conversation; longer texts are cut so that a message is checked in milliseconds. */
const MOST_CHARACTERS = 400_000;
const MOST_NUMBERS = 400;

export function knownText(texts: readonly string[]): KnownText {
  const text = texts.join('\n').slice(0, MOST_CHARACTERS).normalize('NFKC');
  const bare = bareWord(text);
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return {
    has: (word) => bare.includes(bareWord(word)),
    hasWord: (word) => words.has(word.toLowerCase()),
    numbers: [...new Set(numbersIn(text).map(({ value }) => value))].slice(0, MOST_NUMBERS),
    dates: datesIn(text).flatMap(({ days }) => days),
    countsDays: COUNTS_DAYS.test(text),
  };
}

export function bareWord(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Numbers as they are written, with their values. */
export function numbersIn(text: string): { written: string; value: number; index: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,_#-])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,4})?(?![\p{L}\p{N}])/gu)].map(
    (match) => ({
      written: match[0],
      value: Number(match[0].replaceAll(',', '')),
      index: match.index,
    }),
  );
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (?:of )?(\\d{4}))?';
const MONTH_DAY = new RegExp(`\\b${MONTH} (?:the )?${DAY}\\b${YEAR}`, 'gi');
const DAY_MONTH = new RegExp(`\\b${DAY} (?:of )?${MONTH}\\b${YEAR}`, 'gi');
const ISO = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g;
const SLASHES = /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})\b/g;

/** Dates with a month and a day. One such as 3/4/2026 may be either of two days. */
export function datesIn(text: string): { written: string; days: CalendarDay[] }[] {
  const monthOf = (name: string | undefined): number => MONTHS.indexOf((name ?? '').toLowerCase().slice(0, 3)) + 1;
  const found = [
    ...Array.from(text.matchAll(MONTH_DAY), ([written, month, day, year]) => ({
      written,
      days: [dayOf(year, monthOf(month), Number(day))],
    })),
    ...Array.from(text.matchAll(DAY_MONTH), ([written, day, month, year]) => ({
      written,
      days: [dayOf(year, monthOf(month), Number(day))],
    })),
    ...Array.from(text.matchAll(ISO), ([written, year, month, day]) => ({
      written,
      days: [dayOf(year, Number(month), Number(day))],
    })),
    ...Array.from(text.matchAll(SLASHES), ([written, a, b, year]) => ({
      written,
      days: [dayOf(year, Number(a), Number(b)), dayOf(year, Number(b), Number(a))],
    })),
  ];
  return found
    .map(({ written, days }) => ({ written, days: days.filter(isDay) }))
    .filter(({ days }) => days.length > 0);
}

function dayOf(year: string | undefined, month: number, day: number): CalendarDay {
  const number = year === undefined ? null : Number(year);
  return { year: number !== null && number < 100 ? 2000 + number : number, month, day };
}

function isDay({ month, day }: CalendarDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** How many days are between two dates; in the same year if one of them has none. */
export function daysBetween(a: CalendarDay, b: CalendarDay): number {
  const year = a.year ?? b.year ?? 2024;
  const at = (date: CalendarDay) => Date.UTC(date.year ?? year, date.month - 1, date.day);
  return Math.abs(at(a) - at(b)) / 86_400_000;
}

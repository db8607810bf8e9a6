import { type CalendarDay, datesIn, daysBetween } from './calendar-days.ts';
import { isDerived } from './derived-amount.ts';
import { addressesIn, bareWord, type KnownText, numbersIn } from './known-text.ts';

/**
 * A fact in a message that the user cannot know: an id, a number, a date, an e-mail address or a name. Null if there is
 * none. It looks only for what is certainly a fact: a user may say what it likes about how long it has waited.
 */
export function unknownFact(message: string, known: KnownText, lastAnswer = ''): string | null {
  const text = message.normalize('NFKC');
  return (
    unknownAddress(text, known) ??
    unknownDate(text, known) ??
    unknownId(text, known) ??
    unknownNumber(text, known) ??
    unknownName(text, known, lastAnswer)
  );
}

/** The end of a known address is another address. */
function unknownAddress(text: string, known: KnownText): string | null {
  const isEndOf = (bare: string) => known.addresses.some((each) => each !== bare && each.endsWith(bare));
  const isKnown = (bare: string) => known.addresses.includes(bare) || (known.has(bare) && !isEndOf(bare));
  return addressesIn(text).find((address) => !isKnown(bareWord(address))) ?? null;
}

const LONGEST_COUNT_DAYS = 31;

function unknownDate(text: string, known: KnownText): string | null {
  // The day of the conversation is not known, so that any date may be tomorrow's.
  if (known.namesDays) return null;
  const isKnown = (date: CalendarDay) =>
    known.dates.some((each) => isWithin(date, each, known)) || isBetween(date, known.dates);
  const unknown = datesIn(text).find(({ days }) => !days.some(isKnown));
  return unknown?.written ?? null;
}

/** A user that may count from a known date is believed for a month. */
function isWithin(date: CalendarDay, other: CalendarDay, { countsDays }: KnownText): boolean {
  const isSameYear = date.year === null || other.year === null || date.year === other.year;
  if (isSameYear && date.month === other.month && date.day === other.day) return true;
  return countsDays && Math.abs(daysBetween(date, other)) <= LONGEST_COUNT_DAYS;
}

/** "May 23", if the user may come from May 20 to 25. */
function isBetween(date: CalendarDay, dates: readonly CalendarDay[]): boolean {
  const distances = dates.map((each) => daysBetween(date, each)).filter((days) => Math.abs(days) <= LONGEST_COUNT_DAYS);
  return distances.some((days) => days > 0) && distances.some((days) => days < 0);
}

/** Words before something that identifies an order, a booking, a person... */
const ID_WORDS =
  /\b(?:order|reservation|booking|confirmation|ticket|account|customer|user|member(?:ship)?|reference|tracking|case|invoice|flight|code|id|number|no|serial|policy|item|product|voucher|coupon|card|pin)\b(?: (?:id|number|no|code|is|was|it's|its|called|named|with|ending in)\b\.?){0,4}[\s:#"'(.]{0,3}$/i;

/** Ordinary words with digits in them, such as 500GB, 4pm, iPhone15, COVID-19. */
const ORDINARY = /^(?:\d+(?:[.,/:-]\d+)*[a-z%]{1,4}|[a-z]{1,12}-?\d{1,2}|\d+-[a-z-]+|[a-z]{1,5}\d{1,4}[a-z]{0,2})$/i;

function unknownId(text: string, known: KnownText): string | null {
  for (const match of text.matchAll(/#?[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu)) {
    const [word] = match;
    if (!/\d/.test(word) || word.length < 3 || word.length > 80) continue;
    const before = text.slice(Math.max(0, match.index - 60), match.index);
    if ((known.hasLikeId(word) || isId(word, before)) && !known.has(word)) return word;
  }
  return null;
}

/** A measure, a size or a time, such as 128GB, 10x or 3pm. */
const MEASURE =
  /^\d+(?:am|pm|h|hrs?|mins?|s|sec|st|nd|rd|th|[kmgt]b|[kmg]bps|mp|mah|[mc]?l|[km]?g|lbs?|oz|[ckm]?m|in|inch|ft|k?wh?|v|[kmg]?hz|[kpxd]|px|x?xl)$/i;

function isId(word: string, before: string): boolean {
  const bare = bareWord(word);
  if (word.startsWith('#')) return bare.length >= 2;
  // Hosts and paths are no ids: a part of an e-mail address was looked at before.
  if (/[@/.]$/.test(before)) return false;
  const hasLetter = /\p{L}/u.test(word);
  if (!hasLetter)
    return bare.length >= 2 && bare.length < 4 && /(?:#|\b(?:id|code|number|no)\b[.:]?(?: is)?:?) ?$/i.test(before);
  if (ID_WORDS.test(before) && !MEASURE.test(word)) return bare.length >= 3;
  if (ORDINARY.test(word)) return false;
  return word.includes('_') ? true : isCapitalCode(word);
}

/** Such as Z7GOZK, W2378156 or ORD-2231-B. */
function isCapitalCode(word: string): boolean {
  return bareWord(word).length >= 5 && word === word.toUpperCase() && (word.match(/\d/g) ?? []).length >= 2;
}

const MONEY_BEFORE = /(?:[$€£¥]|\b(?:usd|eur|gbp)) ?$/i;
const MONEY_AFTER = /^ ?(?:[$€£¥]|(?:usd|eur|gbp|dollars?|euros?|pounds?|bucks)\b)/i;

/** What comes before an amount that the user wishes for, or draws a line at: no fact. */
const WISHED =
  /\b(?:up to|at (?:least|most)|(?:more|less) than|under|below|above|over|within|maximum(?: of)?|max|minimum(?: of)?|budget(?: is| of)?|limit(?: is| of)?|even|an? (?:extra |additional )?)[ :]*[$€£¥]? ?$/i;

/** Amounts of money, and numbers of four digits and more. Smaller ones count things that no scenario has to name. */
function unknownNumber(text: string, known: KnownText): string | null {
  for (const { written, value, index } of numbersIn(text)) {
    const [before, after] = [text.slice(Math.max(0, index - 30), index), text.slice(index + written.length)];
    const isMoney = MONEY_BEFORE.test(before) || MONEY_AFTER.test(after);
    if (isMoney ? isWish(value, before) : !isTelling(written, value)) continue;
    if (!known.has(written) && !isDerived(value, known.numbers)) return isMoney ? `${written} (an amount)` : written;
  }
  return phoneNumber(text, known);
}

/** Wishes are round: "at least $100", "a $75 voucher". */
function isWish(value: number, before: string): boolean {
  return value <= 1 || (value % 5 === 0 && WISHED.test(before));
}

/** Years and round hundreds are said in passing: "since 2019", "I have 1,500 followers". */
function isTelling(written: string, value: number): boolean {
  return value >= 1000 && !isYear(written) && value % 100 !== 0;
}

function isYear(written: string): boolean {
  return /^(?:19|20)\d\d$/.test(written);
}

/** Digits in groups. */
function phoneNumber(text: string, known: KnownText): string | null {
  const numbers = text.match(/(?<![\p{L}\p{N}])\+?\(?\d{2,5}\)?(?:[ .-]\(?\d{2,5}\)?){1,5}(?![\p{L}\p{N}])/gu) ?? [];
  const isSaidInPassing = (written: string) =>
    datesIn(written).length > 0 || (written.match(/\d+/g) ?? []).every(isYear);
  const unknown = numbers.find((each) => bareWord(each).length >= 7 && !known.has(each) && !isSaidInPassing(each));
  return unknown ?? null;
}

const NAME = "(\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’.-]+){0,3})";
/** What comes before a name. A single word after "I am" may be anything, so that two are needed there. */
const NAMES = [
  new RegExp(
    `\\b(?:[Mm]y (?:full |first |last |sur)?name(?:'s| is| was)?|[Nn]ame:|[Mm]y name,|[Uu]nder the name(?: of)?|[Nn]ame's) ${NAME}`,
    'gu',
  ),
  new RegExp(`\\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\\.? ${NAME}`, 'gu'),
  new RegExp(
    `\\b[Mm]y (?:wife|husband|son|daughter|brother|sister|mother|father|mom|mum|dad|friend|boss|colleague|partner|girlfriend|boyfriend|assistant),? ${NAME}`,
    'gu',
  ),
  /\b(?:I am|I'm|I’m|[Tt]his is) (\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)(?=[,.!]|$| (?:here|and|from)\b)/gmu,
  new RegExp(`(?:[Rr]egards|[Tt]hanks|[Tt]hank you|[Cc]heers|[Ss]incerely),?\\n\\s{0,9}${NAME}\\s{0,9}$`, 'gu'),
];

/** "It's Apple Pay." is a name only where the agent asked for one. */
const ASKED_NAME =
  /^(?:\W{0,3}\p{L}{1,20},)? ?(?:[Ii]t's|[Ii]t’s|[Ii]t is) (\p{Lu}\p{Ll}{1,40} \p{Lu}\p{Ll}{1,40})(?=[,.!]|$| (?:and|from)\b)/gmu;

/** Words that are written like names and are none. */
const NO_NAMES = new Set(
  'i im not the a an and but please thanks thank sorry hello hi yes no is was my it this that in on at so if you your gold silver platinum elite premium member customer american british german french new york san los united states'.split(
    ' ',
  ),
);

function unknownName(text: string, known: KnownText, lastAnswer: string): string | null {
  for (const pattern of /\bname\b/i.test(lastAnswer) ? [...NAMES, ASKED_NAME] : NAMES) {
    for (const [, name = ''] of text.matchAll(pattern)) {
      const parts = name.split(/[ .]+/).map((part) => part.replace(/['’]s$/, ''));
      const unknown = parts.filter((part) => part.length > 1 && !known.hasWord(part) && !known.has(part));
      if (unknown.length > 0 && !parts.some((part) => NO_NAMES.has(part.toLowerCase()))) return name;
    }
  }
  return null;
}

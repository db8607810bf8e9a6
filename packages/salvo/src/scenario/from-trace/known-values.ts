/** A value that says something by itself: the number of an order, an amount, a date, an address. */
export interface KnownValue {
  /** As it is written. */
  text: string;
  /** The same for the same value in another spelling: 49.90 and 49.9. */
  key: string;
  kind: 'id' | 'number' | 'date' | 'address';
}

const SEPARATORS = /[\s"'`()[\]{}<>|;!?*=\\…“”‘’]+/u;
const LONGEST = 100;
/** More of a text is not looked at: an answer that is longer is no answer to a person. */
const MOST_CHARACTERS = 200_000;
const EDGE = /[\p{L}\p{N}]/u;
const NUMBER = /^\d+(?:\.\d+)?$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^\d+,\d{2}$/;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const ADDRESS = /^[\w.+-]+@[\w-]+\.[\w.-]+$/;
const ID = /^[\p{L}\d][\p{L}\d_./#-]*$/u;
/** 1st, 30kg, 10am: a number with its unit. */
const WITH_UNIT = /^\d+(?:[.,]\d+)?(?:st|nd|rd|th|x|h|d|m|s|kg|g|km|cm|mm|ms|min|pm|am|gb|mb|kb|usd|eur)$/i;
/** Smaller whole numbers are counts, which anything may be. */
const SMALLEST_TELLING = 100;

/** The telling values of a text, each once, in the order of the text. */
export function valuesIn(text: string): KnownValue[] {
  const found = new Map<string, KnownValue>();
  for (const piece of text.slice(0, MOST_CHARACTERS).split(SEPARATORS)) {
    // A date with a time is also the date.
    const days = /^\d/.test(piece) ? piece.split('T', 1) : [];
    for (const word of [piece, ...days, ...piece.split(':'), ...piece.split(',')]) {
      const value = knownValue(word);
      if (value && !found.has(value.key)) found.set(value.key, value);
    }
  }
  return [...found.values()];
}

/** The value that a word is; null if it says nothing by itself. */
export function knownValue(word: string): KnownValue | null {
  if (word.length > 2 * LONGEST) return null;
  const text = withoutEdges(word);
  if (text.length < 3 || text.length > LONGEST || !/\d/.test(text)) return ADDRESS.test(text) ? address(text) : null;
  const number = numberOf(text);
  if (number !== null) {
    const isTelling = number >= SMALLEST_TELLING || !Number.isInteger(number) || /[.,]/.test(text);
    return isTelling ? { text, key: `number ${number}`, kind: 'number' } : null;
  }
  if (DATE.test(text)) return { text, key: text, kind: 'date' };
  if (ADDRESS.test(text)) return address(text);
  if (WITH_UNIT.test(text) || !ID.test(text) || !/\p{L}/u.test(text)) return null;
  return { text, key: text.toLowerCase(), kind: 'id' };
}

function address(text: string): KnownValue {
  return { text, key: text.toLowerCase(), kind: 'address' };
}

/** Null if it is no number. */
function numberOf(text: string): number | null {
  if (NUMBER.test(text)) return Number(text);
  if (GROUPED.test(text)) return Number(text.replaceAll(',', ''));
  return DECIMAL_COMMA.test(text) ? Number(text.replace(',', '.')) : null;
}

function withoutEdges(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && !EDGE.test(word[start] ?? '')) start += 1;
  while (end > start && !EDGE.test(word[end - 1] ?? '')) end -= 1;
  return word.slice(start, end);
}

/** The spelling of a value that other spellings of it contain: 49.9 is a part of 49.90. */
export function shortestSpelling({ text, key, kind }: KnownValue): string {
  const plain = kind === 'number' ? key.slice('number '.length) : text;
  return text.includes(plain) ? plain : text;
}

/** The keys of all telling values in some texts. */
export function keysIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => valuesIn(text).map(({ key }) => key)));
}

/** Spaces that look like an ordinary one, and characters that are not shown at all. */
const ODD_SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * A text as it looks: letters with accents are one character each (NFC), every kind of space is an ordinary one, and
 * characters that nobody sees are gone. Models write no-break spaces and decomposed letters now and then.
 */
export function plainSpelling(text: string): string {
  return text.replace(ODD_SPACES, ' ').replace(UNSEEN, '').normalize('NFC');
}

/**
 * Makes texts comparable with an expected one: as they look, and in lower case if case does not matter. Odd spaces in the
 * expected text are meant: then they are kept.
 */
export function folding(expected: string, { caseSensitive = true } = {}): (text: string) => string {
  const isMeant = expected.replace(ODD_SPACES, ' ').replace(UNSEEN, '') !== expected;
  const spell = isMeant ? (given: string) => given.normalize('NFC') : plainSpelling;
  return (given) => (caseSensitive ? spell(given) : spell(given).toLowerCase());
}

/**
 * Where a text has a part, however it is spelled; null if it does not. Odd spaces in the part itself are meant: then only
 * they are found.
 */
export function findText(text: string, part: string, { caseSensitive = true } = {}) {
  const fold = folding(part, { caseSensitive });
  const [folded, wanted] = [fold(text), fold(part)];
  const start = folded.indexOf(wanted);
  if (start < 0) return null;
  // The position is that in the folded text, unless both have the same.
  return { text: folded.length === text.length ? text : folded, start, end: start + wanted.length };
}

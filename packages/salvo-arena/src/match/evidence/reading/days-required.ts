const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const UNITS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };
/** A number of days after one of these is what a rule requires. "Kept for 7 days" is what the code has. */
const BEFORE =
  /\b(?:within|every|least|more than|less than|fewer than|greater than|older than|longer than|shorter than|above|below|over|under|minimum of|(?:unused|inactive|not used) for|exceeds?|once)(?: a period of)?\s(\d{1,4}|a|an|[a-z]{3,6})[\s-](day|week|month|year)s?\b/g;
const AFTER = /\b(\d{1,4}|[a-z]{3,6})[\s-](day|week|month|year)s?\sor\s(?:less|more|fewer|greater|longer|older)\b/g;

/** The periods that a title requires, in days. */
export function daysRequired(title: string): number[] {
  if (!/day|week|month|year/i.test(title)) return [];
  const text = title.toLowerCase();
  const found = [BEFORE, AFTER].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, count = '', unit = '']) => {
      const days = numberOf(count) * (UNITS[unit] ?? 0);
      return days > 0 ? [days] : [];
    }),
  );
  return [...new Set(found)];
}

function numberOf(count: string): number {
  if (count === 'a' || count === 'an') return 1;
  return /^\d/.test(count) ? Number(count) : COUNTS.indexOf(count) + 1;
}

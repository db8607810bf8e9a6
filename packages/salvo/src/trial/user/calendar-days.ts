/** Year is null where a text does not say it. */
export interface CalendarDay {
  year: number | null;
  month: number;
  day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (?:of )?(\\d{4}))?';
/** "May 20-25", "May 20 or 21": the days after the first one. */
const MORE_DAYS = '((?: ?(?:-|–|,|and|or|to|until|through|till) ?\\d{1,2}(?:st|nd|rd|th)?(?!\\d|:| ?[ap]m\\b)){0,5})';
const MONTH_DAY = new RegExp(`\\b${MONTH} (?:the )?${DAY}\\b${MORE_DAYS}${YEAR}`, 'gi');
const DAY_MONTH = new RegExp(`\\b${DAY} (?:of )?${MONTH}(?!\\p{L})${YEAR}`, 'giu');
const YEAR_FIRST = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;
/** Version numbers have dots as well, but no year of four digits. */
const YEAR_LAST = /(?<![\d.])(\d{1,2})(?:\/(\d{1,2})\/(\d{4}|\d{2})|\.(\d{1,2})\.(\d{4}))(?!\d)/g;
/** "either of the 2 may work" */
const VERBS = /^\d{1,2} (?:may|march)$/;

/** Dates with a month and a day. One such as 3/4/2026 may be either of two days. */
export function datesIn(text: string): { written: string; days: CalendarDay[] }[] {
  const monthOf = (name: string | undefined): number => MONTHS.indexOf((name ?? '').toLowerCase().slice(0, 3)) + 1;
  const found = [
    ...Array.from(text.matchAll(MONTH_DAY), ([written, month, day, more, year]) => ({
      written,
      days: [day, ...(more?.match(/\d+/g) ?? [])].map((each) => dayOf(year, monthOf(month), Number(each))),
    })),
    ...Array.from(text.matchAll(DAY_MONTH), ([written, day, month, year]) => ({
      written,
      days: VERBS.test(written) ? [] : [dayOf(year, monthOf(month), Number(day))],
    })),
    ...Array.from(text.matchAll(YEAR_FIRST), ([written, year, month, day]) => ({
      written,
      days: [dayOf(year, Number(month), Number(day))],
    })),
    ...Array.from(text.matchAll(YEAR_LAST), ([written, a, b, year, b2, year2]) => ({
      written,
      days: [[Number(a), Number(b ?? b2)] as const, [Number(b ?? b2), Number(a)] as const].map(([month, day]) =>
        dayOf(year ?? year2, month, day),
      ),
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

/** Negative if the first is earlier; in the same year if one of them has none. */
export function daysBetween(a: CalendarDay, b: CalendarDay): number {
  const year = a.year ?? b.year ?? 2024;
  const at = (date: CalendarDay) => Date.UTC(date.year ?? year, date.month - 1, date.day);
  return (at(a) - at(b)) / 86_400_000;
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's time zone. Every other number is formatted as in the terminal, by `src/stats/format.ts`. */
export function formatTime(iso: string): string {
  return TIME.format(new Date(iso));
}

import { visibleControls } from '../text/output/safe-text.ts';

/** One field of a CSV file (RFC 4180). What is unknown is an empty field, never 0. */
export function csvField(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // A spreadsheet runs a field that begins like this as a formula, and what an agent wrote is untrusted.
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${visibleControls(value)}` : visibleControls(value);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}

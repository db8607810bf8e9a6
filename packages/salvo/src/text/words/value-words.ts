import { cutEnd } from './cut-text.ts';

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'empty',
};

/** zod's name for a kind of value in plain words. */
export function kindOf(expected: string): string {
  return Object.hasOwn(KINDS, expected) ? (KINDS[expected] ?? expected) : expected;
}

/** The kind of a value in plain words. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : `the number ${value}`;
  return kindOf(typeof value);
}

/** The value itself when it is short, its kind otherwise. */
export function aValue(value: unknown): string {
  if (typeof value === 'string') return `"${cutEnd(value, 60, '…')}"`;
  return typeof value === 'number' ? String(value) : kindOfValue(value);
}

/** `a`, `a or b`, `a, b or c`. */
export function list(words: string[], joint: 'or' | 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`;
}

const MOST_WORDS = 30;

/** `a, b, c`, and how many more when there are many. */
export function some(words: string[]): string {
  const rest = words.length - MOST_WORDS;
  return words.slice(0, MOST_WORDS).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

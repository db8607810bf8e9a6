import fastStringWidth from 'fast-string-width';
import { INVISIBLE, STACKED_MARKS, visibleControl } from './plain-text.ts';

const COLOURS = /\u001b\[[0-9;:]{0,64}m/g;
const LINE_BREAKS = /\r\n?|[\n\u0085\u2028\u2029]/g;
/** With the bidi controls, which reorder what a reader of a CI page sees. */
const CONTROLS_BUT_WHITESPACE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : fastStringWidth(text);
}

/**
 * One line that is safe to print, even if an agent wrote it: nothing in it can move the cursor, recolour, reorder or
 * hide the text around it. Line breaks show as ↵. Cut at the end to `max` columns.
 */
export function safeLine(text: string, max = Number.POSITIVE_INFINITY): string {
  // Most of a 10 MB answer is cut off anyway: take only a beginning that is surely long enough.
  const enough = Number.isFinite(max) ? Math.max(0, max) * 16 + 64 : text.length;
  const beginning = text.length > enough ? `${text.slice(0, enough)}…` : text;
  const line = safeBlock(beginning)
    .replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? '↵' : ' '))
    .trim();
  return shorten(line, max);
}

/** Like `safeLine` for a text of many lines: its line breaks stay, as \n; a tab becomes two blanks. */
export function safeBlock(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const lines = text.toWellFormed().replaceAll(COLOURS, '').replaceAll(LINE_BREAKS, '\n').replaceAll('\t', '  ');
  return visibleControls(lines.replaceAll(INVISIBLE, '')).replaceAll(STACKED_MARKS, '$1');
}

/** Control characters except tab and line breaks become visible symbols, lone surrogates become U+FFFD. */
export function visibleControls(text: string): string {
  return text.toWellFormed().replaceAll(CONTROLS_BUT_WHITESPACE, visibleControl);
}

/** Cuts a safe line to `max` columns, never within what a reader sees as one character. */
export function shorten(line: string, max: number): string {
  if (line.length <= max && PRINTABLE_ASCII.test(line)) return line;
  if (displayWidth(line) <= max) return line;
  if (max < 1) return '';
  let kept = 0;
  let width = 0;
  for (const character of characters(line)) {
    width += displayWidth(character);
    if (width > max - 1) break;
    kept += character.length;
  }
  return `${line.slice(0, kept)}…`;
}

/** The characters that a reader sees, each with its combining marks. */
export function* characters(text: string): Generator<string> {
  if (PRINTABLE_ASCII.test(text)) {
    yield* text;
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

let segmenter: Intl.Segmenter | undefined;

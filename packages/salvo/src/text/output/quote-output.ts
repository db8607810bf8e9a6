/** A short part of a program's output for an error message; it cannot control a terminal. */
export function quoteOutput(text: string, { keep = 'start', length = 300 }: QuoteOptions = {}): string {
  const trimmed = text.trim();
  const piece = keep === 'start' ? trimmed.slice(0, length) : trimmed.slice(-length);
  const cut = piece.length < trimmed.length;
  const clean = piece
    .toWellFormed()
    .replace(ANSI_SEQUENCE, '')
    .replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (!cut) return clean;
  return keep === 'start' ? `${clean}...` : `...${clean}`;
}

interface QuoteOptions {
  keep?: 'start' | 'end';
  length?: number;
}

/** Colours of logs are removed; other escape sequences are shown. */
const ANSI_SEQUENCE = /\u001b\[[0-9;]*m/g;
/** Control characters except tab and newline, and those that change the direction of text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A word as a shell reads it back: in quotes only if it needs them. */
export function shellQuote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

import { characters, displayWidth, safeBlock, safeLine } from '../../text/output/safe-text.ts';
import { cutMiddle } from '../../text/words/cut-text.ts';

/** Breaks a safe text into lines of at most `width` columns, between words where it can. Indentation is kept. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  return text.split('\n').flatMap((line) => wrapLine(line, room));
}

/**
 * An untrusted text in lines. Only the middle of a very long one is left out: what was expected is often at the end of a
 * message.
 */
export function fewLines(text: string, width: number, room: MessageRoom = {}): string[] {
  return wrap(safeMessage(text, room), width).filter((line) => line !== '');
}

interface MessageRoom {
  /** Of characters. */
  most?: number | undefined;
  /** Whether its line breaks are kept. */
  lines?: boolean | undefined;
}

/** More lines than these would push the rest of a report out of sight. */
const MOST_LINES = 12;
const FIRST_LINES = 5;
const LAST_LINES = MOST_LINES - FIRST_LINES - 1;

/** An untrusted text, cut and safe to print: in one line, or with its first and last lines. */
export function safeMessage(text: string, { most = 1000, lines = false }: MessageRoom): string {
  const cut = cutMiddle(text, most);
  if (!lines) return safeLine(cut);
  const kept = safeBlock(cut)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = kept.length <= MOST_LINES ? kept : [...kept.slice(0, FIRST_LINES), '…', ...kept.slice(-LAST_LINES)];
  return shown.join('\n');
}

/** Blocks of lines with an empty line between them. A block without lines is left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line.trimEnd()];
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  for (const word of line.trim().split(/(?<= )(?! )/)) {
    for (const piece of pieces(word, width - indent.length)) {
      const pieceWidth = displayWidth(piece.trimEnd());
      if (used > indent.length && used + pieceWidth > width) {
        lines.push(current.trimEnd());
        current = indent;
        used = indent.length;
      }
      current += piece;
      used += displayWidth(piece);
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** A word that is too long for a line, in parts that fit: of `a-long-name` or a path its own parts, if they do. */
function* pieces(word: string, width: number): Generator<string> {
  if (displayWidth(word.trimEnd()) <= width) {
    yield word;
    return;
  }
  const parts = word.split(/(?<=[-_/.,:;=&?])(?=[^-_/.,:;=&? ])/);
  if (parts.length > 1) {
    for (const part of parts) yield* pieces(part, width);
    return;
  }
  let piece = '';
  let used = 0;
  for (const character of characters(word)) {
    const characterWidth = displayWidth(character);
    if (used + characterWidth > width && piece !== '') {
      yield piece;
      piece = '';
      used = 0;
    }
    piece += character;
    used += characterWidth;
  }
  if (piece !== '') yield piece;
}

import type { TextRange } from '../syntax/expression.ts';

/** The layout of the lines around a place, so that edits fit in. */

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Before the line break, or at the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' && at > offset ? at - 1 : at;
}

/** After the line break. */
function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** As many blanks as there are characters before this one on its line. */
export function columnAt(text: string, offset: number): string {
  return ' '.repeat(offset - lineStart(text, offset));
}

export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** What to write between the entry of a list or object that begins here and another one after it. */
export function commaAfter(text: string, offset: number): string {
  return isFirstOnLine(text, offset) ? `,${lineBreak(text)}${indentAt(text, offset)}` : ', ';
}

export function lineBreak(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Whether there are only blanks before it, and at most a comma or a comment after it. */
export function hasOwnLines(text: string, { start, end }: TextRange): boolean {
  const after = text.slice(end, lineEnd(text, end));
  return isFirstOnLine(text, start) && /^[ \t]*(?:,[ \t]*)?(?:$|#|\/\/|\/\*)/.test(after);
}

/** Whole lines with the line break after them; at the end of a text, with the one before. */
export function ownLines(text: string, { start, end }: TextRange): TextRange {
  const from = lineStart(text, start);
  const to = nextLine(text, end);
  const isLast = to === text.length && !text.endsWith('\n');
  if (!isLast || from === 0) return { start: from, end: to };
  return { start: text[from - 2] === '\r' ? from - 2 : from - 1, end: to };
}

/** Adds indentation to all lines but the first. */
export function indented(lines: string, indent: string, newLine: string): string {
  const isHeredoc = /<<-?[A-Za-z_]/.test(lines);
  return lines
    .split(/\r?\n/)
    .map((line, index) => (index === 0 || line === '' || isHeredoc ? line : indent + line))
    .join(newLine);
}

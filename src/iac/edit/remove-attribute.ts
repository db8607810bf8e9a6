import type { Attribute } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { entryWithComma, isInBraces } from './in-braces.ts';
import { hasOwnLines, lineStart, ownLines } from './line-layout.ts';

/**
 * Takes an attribute or an entry of an object out, with its lines when it has them for its own, or with its comma. In
 * YAML the last entry goes with its heading: `Properties:` with nothing below is a null, which no template may have.
 */
export function removeAttribute(source: SourceFile, { range }: Pick<Attribute, 'range'>): TextEdit[] {
  const { text, syntax } = source;
  if (syntax === 'hcl' ? hasOwnLines(text, range) : !isInBraces(source, range) && isFirstOnLine(text, range.start)) {
    const lines = ownLines(text, range);
    return [{ ...lines, start: syntax === 'yaml' ? headingStart(text, lines, range.start) : lines.start, text: '' }];
  }
  if (isInBraces(source, range)) return [{ ...entryWithComma(text, range), text: '' }];
  if (syntax === 'hcl') return [{ ...range, end: range.end + trailingBlanks(text, range.end), text: '' }];
  return [{ ...listItemStart(text, range.start, range.end), text: '' }];
}

function isFirstOnLine(text: string, start: number): boolean {
  return text.slice(lineStart(text, start), start).trim() === '';
}

function trailingBlanks(text: string, from: number): number {
  return /^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0;
}

/** The first key of a list item: `- Key: a`. The next one takes its place behind the dash, if there is one. */
function listItemStart(text: string, start: number, end: number): { start: number; end: number } {
  const column = start - lineStart(text, start);
  const rest = text.slice(end);
  const next = /^[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]*)(?=[^\s#-])/.exec(rest);
  return next?.[1]?.length === column ? { start, end: end + next[0].length } : { start, end };
}

/** Where the heading begins that has nothing else below it, or else the lines themselves. */
function headingStart(text: string, lines: { start: number; end: number }, start: number): number {
  const column = start - lineStart(text, start);
  const next = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]*)(?=[^\s#])/.exec(text.slice(lines.end));
  if (next?.[1] !== undefined && next[1].length >= column) return lines.start;
  const above = lineStart(text, lines.start - 1);
  const heading = /^( *)[\w:"'-]+:[ \t]*\r?\n$/.exec(text.slice(above, lines.start));
  if (lines.start === 0 || heading?.[1] === undefined || heading[1].length >= column) return lines.start;
  return headingStart(text, { start: above, end: lines.end }, above + heading[1].length);
}

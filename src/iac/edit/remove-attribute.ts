import type { Attribute } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { entryWithComma, isInBraces } from './in-braces.ts';
import { hasOwnLines, lineStart, ownLines } from './line-layout.ts';

/**
 * Removes an attribute or an entry of an object, with its lines if nothing else is on them, or with its comma. In YAML,
 * the last entry is removed with its heading: `Properties:` with nothing below is null, which no template may have.
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

/** The first key of a list item: `- Key: a`. The next key, if any, takes its place after the dash. */
function listItemStart(text: string, start: number, end: number): { start: number; end: number } {
  const column = start - lineStart(text, start);
  const rest = text.slice(end);
  const next = /^[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]*)(?=[^\s#-])/.exec(rest);
  return next?.[1]?.length === column ? { start, end: end + next[0].length } : { start, end };
}

/** The start of the heading if it has nothing else below it, otherwise of the lines themselves. */
function headingStart(text: string, lines: { start: number; end: number }, start: number): number {
  const column = start - lineStart(text, start);
  const next = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]*)(?=[^\s#])/.exec(text.slice(lines.end));
  if (next?.[1] !== undefined && next[1].length >= column) return lines.start;
  const above = lineStart(text, lines.start - 1);
  const heading = /^( *)[\w:"'-]+:[ \t]*\r?\n$/.exec(text.slice(above, lines.start));
  if (lines.start === 0 || heading?.[1] === undefined || heading[1].length >= column) return lines.start;
  return headingStart(text, { start: above, end: lines.end }, above + heading[1].length);
}

import type { Attribute, TextRange } from '../syntax/expression.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { hasOwnLines, isFirstOnLine, lineStart, ownLines } from './line-layout.ts';

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

/** Removes a block with one of the empty lines around it. */
export function removeBlock(source: SourceFile, block: Pick<Block, 'range'>): TextEdit[] {
  const { text } = source;
  const [edit] = removeAttribute(source, block);
  if (!edit) return [];
  const isWholeLines = edit.start === lineStart(text, edit.start) && edit.start < edit.end;
  if (!isWholeLines || source.syntax === 'json') return [edit];
  const emptyAfter = /^[ \t]*\r?\n/.exec(text.slice(edit.end))?.[0].length ?? 0;
  const isEmptyBefore =
    edit.start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, edit.start - 200), edit.start));
  return [{ ...edit, end: isEmptyBefore ? edit.end + emptyAfter : edit.end }];
}

/** Whether an entry is between braces and commas: JSON, YAML's flow style, or an HCL object on one line. */
function isInBraces({ text, syntax }: SourceFile, { start, end }: TextRange): boolean {
  if (syntax === 'json') return true;
  const before = text.slice(0, start).trimEnd().at(-1);
  const after = /^\s*(\S)/.exec(text.slice(end, end + 200))?.[1];
  return (before === '{' || before === ',') && (after === ',' || after === '}');
}

/** The range of an entry with the comma that has to be removed with it. */
function entryWithComma(text: string, { start, end }: TextRange): TextRange {
  const comma = /^\s*,[ \t]*/.exec(text.slice(end))?.[0].length;
  const before = text.slice(0, start).trimEnd();
  if (comma !== undefined) {
    // If it has its own lines, the line break before it is removed as well, so that no empty line is left.
    const isAlone = /^\r?\n/.test(text.slice(end + comma));
    return { start: isAlone ? before.length : start, end: end + comma };
  }
  if (before.endsWith(',')) return { start: before.length - 1, end };
  return { start: before.length, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) };
}

function trailingBlanks(text: string, from: number): number {
  return /^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0;
}

/** The first key of a list item: `- Key: a`. The next key, if any, takes its place after the dash. */
function listItemStart(text: string, start: number, end: number): TextRange {
  const column = start - lineStart(text, start);
  const rest = text.slice(end);
  const next = /^[^\n]*\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*([ ]*)(?=[^\s#-])/.exec(rest);
  return next?.[1]?.length === column ? { start, end: end + next[0].length } : { start, end };
}

/** The start of the heading if it has nothing else below it, otherwise of the lines themselves. */
function headingStart(text: string, lines: TextRange, start: number): number {
  const column = start - lineStart(text, start);
  const next = /^(?:[ \t]*(?:#[^\n]*|\r)?\n)*([ ]*)(?=[^\s#])/.exec(text.slice(lines.end));
  if (next?.[1] !== undefined && next[1].length >= column) return lines.start;
  const above = lineStart(text, lines.start - 1);
  const heading = /^( *)[\w:"'-]+:[ \t]*\r?\n$/.exec(text.slice(above, lines.start));
  if (lines.start === 0 || heading?.[1] === undefined || heading[1].length >= column) return lines.start;
  return headingStart(text, { start: above, end: lines.end }, above + heading[1].length);
}

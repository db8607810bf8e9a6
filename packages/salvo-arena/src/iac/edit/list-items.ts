import type { Expression } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { insertion, type TextEdit } from './edits.ts';
import { columnAt, commaAfter, indentAt, indented, lineBreak, lineEnd, lineStart } from './line-layout.ts';

type List = Extract<Expression, { kind: 'list' }>;

/** Adds an element at the end of a list. `code` has no indentation. Null for an empty list. */
export function insertListItem({ text, syntax }: SourceFile, list: List, code: string): TextEdit[] | null {
  const last = list.items.at(-1);
  if (!last) return null;
  const newLine = lineBreak(text);
  const { start, end } = last.range;
  if (syntax === 'yaml' && text[list.range.start] !== '[') {
    const column = columnAt(text, dashBefore(text, start));
    return [insertion(lineEnd(text, end), `${newLine}${column}- ${indented(code, `${column}  `, newLine)}`)];
  }
  return [insertion(end, commaAfter(text, start) + indented(code, indentAt(text, start), newLine))];
}

/** Removes an element of a list. Null if it is the only one. */
export function removeListItem({ text, syntax }: SourceFile, list: List, index: number): TextEdit[] | null {
  const item = list.items[index];
  if (!item || list.items.length < 2) return null;
  if (syntax === 'yaml' && text[list.range.start] !== '[') {
    const start = lineStart(text, dashBefore(text, item.range.start));
    return [{ start, end: Math.min(text.length, lineEnd(text, item.range.end) + lineBreak(text).length), text: '' }];
  }
  const next = list.items[index + 1];
  if (next) return [{ start: item.range.start, end: next.range.start, text: '' }];
  const before = list.items[index - 1];
  return before ? [{ start: before.range.end, end: item.range.end, text: '' }] : null;
}

function dashBefore(text: string, offset: number): number {
  return text.lastIndexOf('-', offset - 1);
}

import type { Expression } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { indentAt, indented, lineBreak, lineEnd, lineStart } from './line-layout.ts';

type List = Extract<Expression, { kind: 'list' }>;

/** Adds an element at the end of a list. `code` has no indentation. Null for an empty list. */
export function insertListItem({ text, syntax }: SourceFile, list: List, code: string): TextEdit[] | null {
  const last = list.items.at(-1);
  if (!last) return null;
  const newLine = lineBreak(text);
  const at = last.range.end;
  if (syntax === 'yaml' && text[list.range.start] !== '[') {
    const dash = dashBefore(text, last.range.start);
    const column = ' '.repeat(dash - lineStart(text, dash));
    const end = lineEnd(text, at);
    return [{ start: end, end, text: `${newLine}${column}- ${indented(code, `${column}  `, newLine)}` }];
  }
  const isOnOwnLine = text.slice(lineStart(text, last.range.start), last.range.start).trim() === '';
  const indent = indentAt(text, last.range.start);
  const between = isOnOwnLine ? `,${newLine}${indent}` : ', ';
  return [{ start: at, end: at, text: between + indented(code, indent, newLine) }];
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

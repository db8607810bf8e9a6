import type { Attribute } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { columnAt, indentAt, indented, lineBreak } from './line-layout.ts';

/**
 * Replaces the value of an attribute or entry. `value` is code of the file's language. If it has several lines, those
 * after the first are written as if the attribute had no indentation. In YAML, such a value is put below its name, and
 * has no indentation at all.
 */
export function replaceValue(source: SourceFile, attribute: Attribute, value: string): TextEdit[] {
  const { text, syntax } = source;
  const { nameRange, valueRange, range } = attribute;
  const newLine = lineBreak(text);
  if (syntax !== 'yaml') {
    return [{ ...valueRange, text: indented(value, indentAt(text, nameRange.start), newLine) }];
  }
  const colon = text.indexOf(':', nameRange.end) + 1;
  if (value.includes('\n')) {
    const indent = `${columnAt(text, nameRange.start)}  `;
    const below = newLine + indent + indented(value, indent, newLine);
    return [{ start: colon, end: Math.max(colon, range.end), text: below }];
  }
  // The value is below its name, empty, or elsewhere because the entry is an alias.
  const isBelow = text.slice(colon, valueRange.start).includes('\n') || valueRange.start <= colon;
  if (!isBelow) return [{ ...valueRange, text: value }];
  return [{ start: colon, end: Math.max(colon, range.end), text: ` ${value}` }];
}

/** The value of an attribute in the form that `replaceValue` expects: without the indentation of its further lines. */
export function valueCode({ text, syntax }: SourceFile, { value, valueRange, nameRange }: Attribute): string {
  if (syntax === 'hcl') return value.text;
  const isBelow = text.slice(nameRange.end, valueRange.start).includes('\n');
  const column = isBelow ? columnAt(text, valueRange.start) : '';
  return text.slice(valueRange.start, valueRange.end).replaceAll(`\n${column}`, '\n');
}

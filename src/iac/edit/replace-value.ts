import type { Attribute } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { indentAt, indented, lineBreak, lineStart } from './line-layout.ts';

/**
 * Gives an attribute or an entry another value. `value` is code of the file's language; of several lines, those behind
 * the first are given as if the attribute had no indentation. In YAML, a value of several lines comes to stand below
 * its name, and is given without indentation as a whole.
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
    const indent = ' '.repeat(nameRange.start - lineStart(text, nameRange.start) + 2);
    const below = newLine + indent + indented(value, indent, newLine);
    return [{ start: colon, end: Math.max(colon, range.end), text: below }];
  }
  // Below its name, nowhere, or elsewhere, where an alias takes it from.
  const isBelow = text.slice(colon, valueRange.start).includes('\n') || valueRange.start <= colon;
  if (!isBelow) return [{ ...valueRange, text: value }];
  return [{ start: colon, end: Math.max(colon, range.end), text: ` ${value}` }];
}

/** The value of an attribute as `replaceValue` takes it: without the indentation that its further lines have here. */
export function valueCode({ text, syntax }: SourceFile, { value, valueRange, nameRange }: Attribute): string {
  if (syntax === 'hcl') return value.text;
  const lineStart = text.lastIndexOf('\n', valueRange.start - 1) + 1;
  const isBelow = text.slice(nameRange.end, valueRange.start).includes('\n');
  const column = isBelow ? valueRange.start - lineStart : 0;
  return text.slice(valueRange.start, valueRange.end).replaceAll(`\n${' '.repeat(column)}`, '\n');
}

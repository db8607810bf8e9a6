import type { Attribute, SourceFile } from '../syntax/source-file.ts';
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

import type { Attribute, SourceFile } from '../syntax/source-file.ts';

/** The value of an attribute as `replaceValue` takes it: without the indentation that its further lines have here. */
export function valueCode({ text, syntax }: SourceFile, { value, valueRange, nameRange }: Attribute): string {
  if (syntax === 'hcl') return value.text;
  const lineStart = text.lastIndexOf('\n', valueRange.start - 1) + 1;
  const isBelow = text.slice(nameRange.end, valueRange.start).includes('\n');
  const column = isBelow ? valueRange.start - lineStart : 0;
  return text.slice(valueRange.start, valueRange.end).replaceAll(`\n${' '.repeat(column)}`, '\n');
}

import type { TextLines } from 'salvo/kit/text';
import { literalExpression } from './build-expression.ts';
import type { DataEntry } from './data-node.ts';
import type { Attribute, Expression, ObjectEntry, TextRange } from './expression.ts';
import type { ParseProblem } from './source-file.ts';

/** The lines that a range takes up. */
export function linesOf(lines: TextLines, { start, end }: TextRange): { line: number; end_line: number } {
  return { line: lines.line(start), end_line: lines.line(Math.max(start, end - 1)) };
}

export function problemAt(lines: TextLines, offset: number, message: string): ParseProblem {
  return { line: lines.line(offset), column: lines.column(offset), message };
}

export function placedAttribute(
  lines: TextLines,
  parts: Pick<Attribute, 'name' | 'nameRange' | 'range' | 'value'>,
): Attribute {
  return { ...parts, valueRange: parts.value.range, ...linesOf(lines, parts.range) };
}

/** An entry of a YAML or JSON map. */
export function placedEntry(
  { text, lines }: { text: string; lines: TextLines },
  { name, nameRange, end }: DataEntry,
  value: Expression,
): ObjectEntry {
  const range = { start: nameRange.start, end };
  const key = literalExpression(name, { range: nameRange, text: text.slice(nameRange.start, nameRange.end) });
  return { ...placedAttribute(lines, { name, nameRange, range, value }), key };
}

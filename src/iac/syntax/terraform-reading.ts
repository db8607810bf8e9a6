import type { TextLines } from '../../text/source-text.ts';
import type { Attribute } from './expression.ts';
import type { ParseProblem } from './source-file.ts';
import type { SyntaxWalk } from './syntax-walk.ts';

/** Shared by all functions that read a syntax tree. */
export interface TerraformReading {
  walk: SyntaxWalk;
  text: string;
  lines: TextLines;
  problems: ParseProblem[];
}

/** More than any real configuration has, and low enough for recursive functions. */
export const MAX_DEPTH = 150;

export function attributeOf(
  { lines }: Pick<TerraformReading, 'lines'>,
  parts: Pick<Attribute, 'name' | 'nameRange' | 'range' | 'value'>,
): Attribute {
  const { name, value, range, nameRange } = parts;
  const [line, end_line] = [lines.line(range.start), lines.line(Math.max(range.start, range.end - 1))];
  return { name, value, range, nameRange, valueRange: value.range, line, end_line };
}

export function addProblem(
  { problems, lines }: Pick<TerraformReading, 'problems' | 'lines'>,
  offset: number,
  message: string,
): void {
  problems.push({ line: lines.line(offset), column: lines.column(offset), message });
}

import type { TextLines } from 'salvo/kit/text';
import type { Written } from './expression.ts';
import { problemAt } from './placed-syntax.ts';
import type { Block, ParseProblem } from './source-file.ts';
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

/** The text of the current node. */
export function currentText({ walk, text }: TerraformReading): string {
  return text.slice(walk.start, walk.end);
}

export function currentNode({ walk, text }: TerraformReading): Written {
  const { range } = walk;
  return { range, text: text.slice(range.start, range.end) };
}

export function addProblem(
  { problems, lines }: Pick<TerraformReading, 'problems' | 'lines'>,
  offset: number,
  message: string,
): void {
  problems.push(problemAt(lines, offset, message));
}

/** The address of a block from its head: `['resource', 'aws_s3_bucket', 'data']` is `aws_s3_bucket.data`. */
export function blockAddress(head: readonly string[], around: Pick<Block, 'address'> | null): string {
  const [type = '', ...labels] = head;
  const start = around ? [around.address, type] : [PREFIXES.get(type) ?? type];
  return [...start, ...labels].filter((part) => part !== '').join('.');
}

const PREFIXES = new Map([
  ['resource', ''],
  ['variable', 'var'],
  ['locals', 'local'],
]);

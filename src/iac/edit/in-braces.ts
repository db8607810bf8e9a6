import type { TextRange } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Whether an entry is between braces and commas: JSON, YAML's flow style, or an HCL object on one line. */
export function isInBraces({ text, syntax }: SourceFile, { start, end }: TextRange): boolean {
  if (syntax === 'json') return true;
  const before = text.slice(0, start).trimEnd().at(-1);
  const after = /^\s*(\S)/.exec(text.slice(end, end + 200))?.[1];
  return (before === '{' || before === ',') && (after === ',' || after === '}');
}

/** The range of an entry with the comma that has to be removed with it. */
export function entryWithComma(text: string, { start, end }: TextRange): TextRange {
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

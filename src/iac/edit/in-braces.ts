import type { TextRange } from '../syntax/expression.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Whether an entry stands between braces and commas: JSON, YAML's flow style, or an object of HCL on one line. */
export function isInBraces({ text, syntax }: SourceFile, { start, end }: TextRange): boolean {
  if (syntax === 'json') return true;
  const before = text.slice(0, start).trimEnd().at(-1);
  const after = /^\s*(\S)/.exec(text.slice(end, end + 200))?.[1];
  return (before === '{' || before === ',') && (after === ',' || after === '}');
}

/** An entry with the one comma that has to go with it. */
export function entryWithComma(text: string, { start, end }: TextRange): TextRange {
  const comma = /^\s*,[ \t]*/.exec(text.slice(end))?.[0].length;
  const before = text.slice(0, start).trimEnd();
  if (comma !== undefined) {
    // On lines of its own, the line break before it goes as well, so that no empty line is left.
    const isAlone = /^\r?\n/.test(text.slice(end + comma));
    return { start: isAlone ? before.length : start, end: end + comma };
  }
  if (before.endsWith(',')) return { start: before.length - 1, end };
  return { start: before.length, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) };
}

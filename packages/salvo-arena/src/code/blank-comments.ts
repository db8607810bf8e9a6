import { applyEdits, type TextEdit } from '../iac/edit/edits.ts';
import type { TextRange } from '../iac/syntax/expression.ts';

/** Code without these comments. Line breaks stay, so that line numbers do not change. */
export function blankComments(text: string, comments: readonly TextRange[]): string {
  return applyEdits(
    text,
    comments.map((comment) => blankComment(text, comment)),
  );
}

/** Blanks before a comment that ends its line are removed as well. */
function blankComment(text: string, { start, end }: TextRange): TextEdit {
  const breaks = text.slice(start, end).replaceAll(/[^\r\n]+/g, '');
  const endsLine = end >= text.length || /[\r\n]/.test(text.charAt(end)) || /[\r\n]$/.test(text.slice(start, end));
  if (!endsLine) return { start, end, text: breaks === '' ? ' ' : breaks };
  let from = start;
  while (from > 0 && /[ \t]/.test(text.charAt(from - 1))) from -= 1;
  return { start: from, end, text: breaks };
}

import { applyEdits, type TextEdit } from '../../../../iac/edit/edits.ts';
import type { TextRange } from '../../../../iac/syntax/expression.ts';

export function isInside(inner: TextRange, outer: TextRange): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** What a part of a text is after edits, all of which lie in it; null when one does not, or takes all of it away. */
export function partAfter(text: string, part: TextRange, edits: readonly TextEdit[]): string | null {
  const { start, end } = part;
  const isGone = edits.some((edit) => edit.start <= start && edit.end >= end);
  if (edits.length === 0 || isGone || !edits.every((edit) => isInside(edit, part))) return null;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), moved);
}

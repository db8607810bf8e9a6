import { applyEdits, type TextEdit } from '../../../../iac/edit/edits.ts';
import type { TextRange } from '../../../../iac/syntax/expression.ts';

export function isInside(inner: TextRange, outer: TextRange): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** A part of a text after edits. Null if an edit is not inside of the part, or removes all of it. */
export function partAfter(text: string, part: TextRange, edits: readonly TextEdit[]): string | null {
  const { start, end } = part;
  const isGone = edits.some((edit) => edit.start <= start && edit.end >= end);
  if (edits.length === 0 || isGone || !edits.every((edit) => isInside(edit, part))) return null;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), moved);
}

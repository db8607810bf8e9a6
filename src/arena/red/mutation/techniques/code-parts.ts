import { applyEdits, type TextEdit } from '../../../../iac/edit/edits.ts';
import { insertBlock } from '../../../../iac/edit/insert-block.ts';
import type { TextRange } from '../../../../iac/syntax/expression.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../operators/operator.ts';

export function isInside(inner: TextRange, outer: TextRange): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** A part of a text after edits; null when an edit is not inside the part, or removes all of it. */
export function partAfter(text: string, part: TextRange, edits: readonly TextEdit[]): string | null {
  const { start, end } = part;
  const isGone = edits.some((edit) => edit.start <= start && edit.end >= end);
  if (edits.length === 0 || isGone || !edits.every((edit) => isInside(edit, part))) return null;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), moved);
}

/** Appends a block to a file, which is created if it does not exist. */
export function appendTo(project: CodeProject, file: string, code: string): CodeEdit {
  const source = project.files.find((one) => one.file === file);
  if (!source) return { file, edits: [{ start: 0, end: 0, text: `${code}\n` }] };
  return { file, edits: insertBlock(source, null, code) };
}

/** The resource or data block of an address, outside of override files and child modules. */
export function resourceBlock(project: CodeProject, address: string): { source: SourceFile; block: Block } | null {
  for (const source of project.files) {
    const block = source.blocks.find(
      (one) => (one.type === 'resource' || one.type === 'data') && one.address === address,
    );
    if (block && !/(?:^|[/_])override\.tf$|\//.test(source.file)) return { source, block };
  }
  return null;
}

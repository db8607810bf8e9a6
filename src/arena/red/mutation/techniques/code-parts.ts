import { applyEdits, type TextEdit } from '../../../../iac/edit/edits.ts';
import { insertBlock } from '../../../../iac/edit/insert-block.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile, TextRange } from '../../../../iac/syntax/source-file.ts';
import type { CodeEdit } from '../../operators/operator.ts';

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

/** Puts a block at the end of a file, which is made if there is none of that name. */
export function appendTo(project: CodeProject, file: string, code: string): CodeEdit {
  const source = project.files.find((one) => one.file === file);
  if (!source) return { file, edits: [{ start: 0, end: 0, text: `${code}\n` }] };
  return { file, edits: insertBlock(source, null, code) };
}

/** The resource or document of an address, outside of override files and child modules. */
export function resourceBlock(project: CodeProject, address: string): { source: SourceFile; block: Block } | null {
  for (const source of project.files) {
    const block = source.blocks.find(
      (one) => (one.type === 'resource' || one.type === 'data') && one.address === address,
    );
    if (block && !/(?:^|[/_])override\.tf$|\//.test(source.file)) return { source, block };
  }
  return null;
}

import type { Block, SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { lineStart } from './line-layout.ts';
import { removeAttribute } from './remove-attribute.ts';

/** Removes a block with one of the empty lines around it. */
export function removeBlock(source: SourceFile, block: Pick<Block, 'range'>): TextEdit[] {
  const { text } = source;
  const [edit] = removeAttribute(source, block);
  if (!edit) return [];
  const isWholeLines = edit.start === lineStart(text, edit.start) && edit.start < edit.end;
  if (!isWholeLines || source.syntax === 'json') return [edit];
  const emptyAfter = /^[ \t]*\r?\n/.exec(text.slice(edit.end))?.[0].length ?? 0;
  const isEmptyBefore =
    edit.start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, edit.start - 200), edit.start));
  return [{ ...edit, end: isEmptyBefore ? edit.end + emptyAfter : edit.end }];
}

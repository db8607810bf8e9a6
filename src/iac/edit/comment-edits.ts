import type { SourceFile } from '../syntax/source-file.ts';
import type { TextEdit } from './edits.ts';
import { lineStart } from './line-layout.ts';

/**
 * Takes the comments out of a file, with the blanks before them. Line breaks stay, so that every line keeps its number.
 * What a comment says may give away what someone is asked to find.
 */
export function commentEdits({ text, comments }: SourceFile): TextEdit[] {
  return comments.map(({ start, end }) => {
    const comment = text.slice(start, end);
    const isAtEnd = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200));
    const before = text.slice(lineStart(text, start), start);
    const from = isAtEnd ? start - (before.length - before.trimEnd().length) : start;
    // A comment may end in the carriage return of its line, which is none of its own.
    return { start: from, end, text: comment.replaceAll(/[^\r\n]+/g, '') };
  });
}

import type { Block, SourceFile } from '../syntax/source-file.ts';
import { EditError, insertion, type TextEdit } from './edits.ts';
import {
  columnAt,
  commaAfter,
  indentAt,
  indented,
  isFirstOnLine,
  lineBreak,
  lineEnd,
  lineStart,
} from './line-layout.ts';

/**
 * Inserts a block at the end of another one, or, with null, at the end of the file; in CloudFormation after the last
 * resource. `code` is the block without indentation: `logging {\n  ...\n}`, `Name:\n  Type: ...`, `"Name": {...}`.
 */
export function insertBlock(source: SourceFile, into: Block | null, code: string): TextEdit[] {
  const { text, language } = source;
  if (language === 'cloudformation') return intoTemplate(source, code);
  const newLine = lineBreak(text);
  if (!into) {
    const gap = text === '' || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? newLine : newLine + newLine;
    return [insertion(text.length, `${gap}${indented(code, '', newLine)}${newLine}`)];
  }
  if (source.syntax === 'json' || !into.bodyRange) {
    throw new EditError(`A block cannot be put into ${into.address}: insert an attribute instead.`);
  }
  const indent = indentAt(text, into.range.start);
  const inner = `${indent}  `;
  const { start, end } = into.bodyRange;
  const kept = text.slice(start, end);
  const block = `${inner}${indented(code, inner, newLine)}${newLine}`;
  if (!kept.includes('\n')) {
    const opened = kept.trim() === '' ? '' : `${inner}${kept.trim()}${newLine}`;
    return [{ start, end, text: `${newLine}${opened}${block}${indent}` }];
  }
  return [insertion(lineStart(text, end), kept.trim() === '' ? block : newLine + block)];
}

function intoTemplate({ text, blocks, syntax }: SourceFile, code: string): TextEdit[] {
  const last = blocks.findLast(({ type }) => type === 'resource');
  if (!last) throw new EditError('The template has no resource that another could be put behind.');
  const newLine = lineBreak(text);
  const { start, end } = last.range;
  const follows = /^\s*(\S)/.exec(text.slice(end, end + 200))?.[1];
  const indent = columnAt(text, start);
  if (syntax === 'json' || follows === '}' || follows === ',') {
    return [
      insertion(end, commaAfter(text, start) + indented(code, isFirstOnLine(text, start) ? indent : '', newLine)),
    ];
  }
  return [insertion(lineEnd(text, end), `${newLine}${newLine}${indent}${indented(code, indent, newLine)}`)];
}

import type { Block, SourceFile } from '../syntax/source-file.ts';
import { EditError, type TextEdit } from './edits.ts';
import { indentAt, indented, lineBreak, lineEnd, lineStart } from './line-layout.ts';

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
    return [{ start: text.length, end: text.length, text: `${gap}${indented(code, '', newLine)}${newLine}` }];
  }
  if (source.syntax === 'json' || !into.bodyRange) {
    throw new EditError('not_a_body', `A block cannot be put into ${into.address}: insert an attribute instead.`);
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
  const at = lineStart(text, end);
  const gap = kept.trim() === '' ? '' : newLine;
  return [{ start: at, end: at, text: gap + block }];
}

function intoTemplate({ text, blocks, syntax }: SourceFile, code: string): TextEdit[] {
  const last = blocks.findLast(({ type }) => type === 'resource');
  if (!last) throw new EditError('not_a_body', 'The template has no resource that another could be put behind.');
  const newLine = lineBreak(text);
  const indent = ' '.repeat(last.range.start - lineStart(text, last.range.start));
  const isOnOwnLine = text.slice(lineStart(text, last.range.start), last.range.start).trim() === '';
  const follows = /^\s*(\S)/.exec(text.slice(last.range.end, last.range.end + 200))?.[1];
  if (syntax === 'json' || follows === '}' || follows === ',') {
    const between = isOnOwnLine ? `,${newLine}${indent}` : ', ';
    return [
      {
        start: last.range.end,
        end: last.range.end,
        text: between + indented(code, isOnOwnLine ? indent : '', newLine),
      },
    ];
  }
  const at = lineEnd(text, last.range.end);
  return [{ start: at, end: at, text: `${newLine}${newLine}${indent}${indented(code, indent, newLine)}` }];
}

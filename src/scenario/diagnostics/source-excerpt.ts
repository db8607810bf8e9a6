import stringWidth from 'fast-string-width';
import { visibleText } from '../../text/visible-text.ts';
import type { Diagnostic } from './diagnostic.ts';

const WHOLE_LINE = 120;
const CONTEXT_BEFORE = 60;
const CONTEXT_AFTER = 50;

/** The source line of a diagnostic, cut to fit a terminal, and the carets to print under it. */
export function sourceExcerpt(
  diagnostic: Pick<Diagnostic, 'source_line' | 'column' | 'end_column'>,
): { line: string; caret: string } | null {
  const source = diagnostic.source_line;
  if (source === undefined || source.trim() === '') return null;
  const start = Math.min(diagnostic.column - 1, source.length);
  const end = Math.max(start + 1, Math.min((diagnostic.end_column ?? 0) - 1, source.length));

  const isLong = source.length > WHOLE_LINE;
  const from = isLong && start > CONTEXT_BEFORE ? characterStart(source, start - CONTEXT_BEFORE) : 0;
  const to =
    isLong && source.length > start + CONTEXT_AFTER ? characterStart(source, start + CONTEXT_AFTER) : source.length;
  const before = `${from > 0 ? '…' : ''}${printable(source.slice(from, start))}`;
  const marked = printable(source.slice(start, Math.min(end, to)));
  const after = `${printable(source.slice(Math.min(end, to), to))}${to < source.length ? '…' : ''}`;
  return {
    line: before + marked + after,
    caret: ' '.repeat(stringWidth(before)) + '^'.repeat(Math.max(1, stringWidth(marked))),
  };
}

/** The width of a tab depends on the terminal, so tabs become blanks: otherwise the carets would be misplaced. */
function printable(text: string): string {
  return visibleText(text.replaceAll('\t', '  '));
}

function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

import stringWidth from 'fast-string-width';
import { visibleText } from '../../text/plain-text.ts';
import type { Diagnostic } from './diagnostic.ts';

const WHOLE_LINE = 120;
const CONTEXT_BEFORE = 60;
const CONTEXT_AFTER = 50;

/** The line a diagnostic is about, cut to what fits a terminal, and the caret that goes under it. */
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
  const before = `${from > 0 ? '…' : ''}${shown(source.slice(from, start))}`;
  const marked = shown(source.slice(start, Math.min(end, to)));
  const after = `${shown(source.slice(Math.min(end, to), to))}${to < source.length ? '…' : ''}`;
  return {
    line: before + marked + after,
    caret: ' '.repeat(stringWidth(before)) + '^'.repeat(Math.max(1, stringWidth(marked))),
  };
}

/** A tab is as wide as the terminal pleases, so that no caret could stand right under what follows it. */
function shown(text: string): string {
  return visibleText(text.replaceAll('\t', '  '));
}

function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

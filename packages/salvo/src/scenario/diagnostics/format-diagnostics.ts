import { isAbsolute, relative, sep } from 'node:path';
import stringWidth from 'fast-string-width';
import { harmlessJson, visibleText } from '../../text/output/plain-text.ts';
import { workflowCommand } from '../../text/output/workflow-command.ts';
import type { Diagnostic } from './diagnostic.ts';

export interface DiagnosticsFormat {
  format: 'text' | 'json' | 'github';
  color: boolean;
  /** Files inside this folder are shown relative to it. */
  cwd?: string | undefined;
}

/** Diagnostics for a terminal, a script or GitHub; each ends with a line break. */
export function formatDiagnostics(diagnostics: Diagnostic[], { format, color, cwd }: DiagnosticsFormat): string {
  const base = cwd ?? process.cwd();
  const relativeToBase = diagnostics.map((diagnostic) => ({ ...diagnostic, file: displayPath(diagnostic.file, base) }));
  if (format === 'json') return `${harmlessJson(relativeToBase, 2)}\n`;
  return relativeToBase
    .map(format === 'github' ? githubCommand : (diagnostic) => textBlock(diagnostic, color))
    .join('');
}

export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  const inside = path !== '' && !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
  return (inside ? path : file).replaceAll(sep, '/');
}

function textBlock(diagnostic: Diagnostic, color: boolean): string {
  const paint = (codes: string, text: string) => (color ? `\u001b[${codes}m${text}\u001b[0m` : text);
  const tone = diagnostic.severity === 'error' ? '31' : '33';
  const place = `${visibleText(diagnostic.file)}:${diagnostic.line}:${diagnostic.column}`;
  const lines = [
    `${paint('1', place)} ${paint(`1;${tone}`, diagnostic.severity)} ${paint('2', `[${diagnostic.code}]`)} ${visibleText(diagnostic.message)}`,
  ];
  const excerpt = sourceExcerpt(diagnostic);
  if (excerpt) {
    const gutter = String(diagnostic.line);
    lines.push(`  ${paint('2', `${gutter} |`)} ${excerpt.line}`);
    lines.push(`  ${paint('2', `${' '.repeat(gutter.length)} |`)} ${paint(tone, excerpt.caret)}`);
  }
  if (diagnostic.hint) lines.push(`    ${paint('36', visibleText(diagnostic.hint))}`);
  return `${lines.join('\n')}\n`;
}

const WHOLE_LINE = 120;
const CONTEXT_BEFORE = 60;
const CONTEXT_AFTER = 50;

/** The source line of a diagnostic, cut to fit a terminal, and the carets to print under it. */
function sourceExcerpt(
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

function githubCommand(diagnostic: Diagnostic): string {
  return workflowCommand({
    name: diagnostic.severity,
    properties: [
      ['file', diagnostic.file],
      ['line', diagnostic.line],
      ['col', diagnostic.column],
      ...(diagnostic.end_column === undefined ? [] : [['endColumn', diagnostic.end_column] as const]),
      ['title', `salvo ${diagnostic.code}`],
    ],
    message: diagnostic.hint ? `${diagnostic.message}\n${diagnostic.hint}` : diagnostic.message,
  });
}

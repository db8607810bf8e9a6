import { isAbsolute, relative, sep } from 'node:path';
import { visibleText } from '../../text/visible-text.ts';
import type { Diagnostic } from './diagnostic.ts';
import { sourceExcerpt } from './source-excerpt.ts';

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
  if (format === 'json') return `${JSON.stringify(relativeToBase, null, 2)}\n`;
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

/** https://docs.github.com/actions/reference/workflow-commands: properties escape two more characters than messages. */
function githubCommand(diagnostic: Diagnostic): string {
  const properties = [
    ['file', diagnostic.file],
    ['line', diagnostic.line],
    ['col', diagnostic.column],
    ...(diagnostic.end_column === undefined ? [] : [['endColumn', diagnostic.end_column]]),
    ['title', `salvo ${diagnostic.code}`],
  ].map(([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  const message = diagnostic.hint ? `${diagnostic.message}\n${diagnostic.hint}` : diagnostic.message;
  return `::${diagnostic.severity} ${properties.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

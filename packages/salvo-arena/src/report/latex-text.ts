import { safeLine } from 'salvo/kit/text';

const COMMANDS: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '–': '--',
  '—': '---',
  '…': '\\dots{}',
  '·': '\\textperiodcentered{}',
  '↵': ' ',
};

/**
 * An untrusted text as plain LaTeX text on one line: it can start no command, comment, formula or cell. What fonts of a
 * usual document do not have (all beyond Latin-1) becomes a question mark.
 */
export function latexText(text: string, max = Number.POSITIVE_INFINITY): string {
  return safeLine(text, max)
    .replaceAll(/[\\~^<>|"–—…·↵{}$&#%_]/g, (symbol) => COMMANDS[symbol] ?? `\\${symbol}`)
    .replaceAll(/[^\x20-\x7e\u00a1-\u00ff]/gu, '?');
}

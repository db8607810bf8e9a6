import { safeLine } from '../text/output/safe-text.ts';

/** Not the `_` within a word, nor the `$` of an amount such as $1: neither can begin something that another one ends. */
const MARKUP = /[\\`*[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=\S)\$|\$(?!\d)/g;

/**
 * An untrusted text as one line of plain Markdown text: it can form no table cell, heading, list, code, link, HTML or
 * formula, and names no person (@user) or issue (#1), which would otherwise notify people when the summary becomes a comment.
 */
export function markdownText(text: string, max = Number.POSITIVE_INFINITY): string {
  return safeLine(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(MARKUP, (symbol) => `&#${symbol.charCodeAt(0)};`)
    .replace(
      /^(\d*)([.)](?=\s|$)|[#+\-=](?!\d))/,
      (_, digits: string, symbol: string) => `${digits}&#${symbol.charCodeAt(0)};`,
    )
    .replaceAll(/(?<!&)[@#](?=\w)/g, (symbol) => `${symbol}&#8203;`)
    .replaceAll(/\b(gh-)(?=\d)/gi, '$1&#8203;')
    .replaceAll(/\b(https?|ftp):\/\//gi, '$1:&#8203;//')
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}&#8203;.`);
}

/**
 * A table of GitHub-flavoured Markdown, or no lines without rows. Cells are Markdown already. `alignment` has a letter
 * per column, `l` or `r`; without it the first column is left-aligned and the others are right-aligned.
 */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  alignment = header.map((_, index) => (index === 0 ? 'l' : 'r')).join(''),
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = [...alignment].map((letter) => (letter === 'l' ? '---' : '---:'));
  return [line(header), line(rule), ...rows.map(line)];
}

import { safeLine } from '../text/safe-text.ts';

/**
 * An untrusted text as one line of plain Markdown text: it can form no table cell, heading, list, code, link, HTML or
 * formula, and names no person (@user) or issue (#1), which would otherwise notify people when the summary becomes a comment.
 */
export function markdownText(text: string, max = Number.POSITIVE_INFINITY): string {
  return safeLine(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~$]/g, (symbol) => `&#${symbol.charCodeAt(0)};`)
    .replace(/^(\d*)([#+\-=.)])/, (_, digits: string, symbol: string) => `${digits}&#${symbol.charCodeAt(0)};`)
    .replaceAll(/(?<!&)[@#](?=\w)/g, (symbol) => `${symbol}&#8203;`)
    .replaceAll(/\b(gh-)(?=\d)/gi, '$1&#8203;')
    .replaceAll(/\b(https?|ftp):\/\//gi, '$1:&#8203;//')
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}&#8203;.`);
}

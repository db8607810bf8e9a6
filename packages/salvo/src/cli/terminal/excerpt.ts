import { stripVTControlCharacters } from 'node:util';
import { formatPlural } from '../../stats/format.ts';

/**
 * The beginning of what a command prints, at most so many lines if its first paragraph is not longer, and the box with
 * the verdict if there is one. A line says how many were left out.
 */
export function excerpt(text: string, most: number): string {
  const paragraphs = text.trimEnd().split('\n\n');
  const shown: string[] = [];
  let lines = 0;
  for (const paragraph of paragraphs) {
    const height = paragraph.split('\n').length + 1;
    if (shown.length > 0 && lines + height > most + 1) break;
    shown.push(paragraph);
    lines += height;
  }
  const rest = paragraphs.slice(shown.length);
  if (rest.length === 0) return `${shown.join('\n\n')}\n`;
  const verdict = rest.find((paragraph) => /^[━=]/.test(stripVTControlCharacters(paragraph)));
  const left = rest.filter((paragraph) => paragraph !== verdict).join('\n\n');
  const note = left === '' ? [] : [`  (${formatPlural(left.split('\n').length, 'more line')}: salvo demo --full)`];
  return `${[...shown, ...note, ...(verdict === undefined ? [] : [verdict])].join('\n\n')}\n`;
}

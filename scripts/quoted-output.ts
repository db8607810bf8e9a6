import { distance } from 'fastest-levenshtein';

/** A line of a quotation that is only this leaves out lines of the output. */
const OMISSION = '...';

/**
 * The part of a quotation that is not in the output; null if it is all there, in its order. Times may differ, and with
 * them the widths of columns.
 */
export function missingQuote(quotation: string, printed: string): string | null {
  const lines = linesOf(printed).map(comparable);
  let from = 0;
  for (const part of partsOf(quotation)) {
    const wanted = part.map(comparable);
    const last = lines.length - wanted.length;
    while (from <= last && !wanted.every((line, offset) => sameLine(lines[from + offset] ?? '', line))) from += 1;
    if (from > last) return part.join('\n');
    from += wanted.length;
  }
  return null;
}

/**
 * The quotation with what the command prints now. A part is found by its first and its last line, which may have changed
 * somewhat. Null if one of them is not recognised: then a person has to decide what to quote.
 */
export function refreshedQuote(quotation: string, printed: string): string | null {
  const lines = linesOf(printed);
  let from = 0;
  const parts: string[] = [];
  for (const part of partsOf(quotation)) {
    const first = mostSimilar(part.at(0) ?? '', lines, { from, expected: from });
    if (first === null) return null;
    const expected = first + part.length - 1;
    const last = part.length === 1 ? first : mostSimilar(part.at(-1) ?? '', lines, { from: first + 1, expected });
    if (last === null) return null;
    from = last + 1;
    parts.push(lines.slice(first, from).join('\n'));
  }
  const end = linesOf(quotation).at(-1) === OMISSION ? `\n${OMISSION}` : '';
  return `${parts.join(`\n${OMISSION}\n`)}${end}\n`;
}

/** The lines between omissions, without empty ones at the edges. */
function partsOf(quotation: string): string[][] {
  const parts: string[][] = [[]];
  for (const line of linesOf(quotation)) {
    if (line === OMISSION) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(trimmed).filter((part) => part.length > 0);
}

function trimmed(lines: string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** A column whose width depends on a time cuts other words than the quotation has, so a cut word matches a whole one. */
function sameLine(one: string, other: string): boolean {
  const words = one.split(' ');
  const otherWords = other.split(' ');
  return words.length === otherWords.length && words.every((word, index) => sameWord(word, otherWords[index] ?? ''));
}

function sameWord(one: string, other: string): boolean {
  const uncut = (word: string): string => word.replace(/…$/, '');
  if (!one.endsWith('…') && !other.endsWith('…')) return one === other;
  return uncut(one).startsWith(uncut(other)) || uncut(other).startsWith(uncut(one));
}

function comparable(line: string): string {
  return line
    .replaceAll(/\d+(?:\.\d+)? ?(?:ms|s|min)\b/g, 'TIME')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Of lines that are equally similar, the one that is closest to the place where it is expected. */
function mostSimilar(wanted: string, lines: string[], { from, expected }: { from: number; expected: number }) {
  const target = comparable(wanted);
  let best: number | null = null;
  let least = target.length / 2;
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    const difference = distance(target, comparable(line)) + Math.min(0.9, Math.abs(index - expected) / 1000);
    if (difference < least) [best, least] = [index, difference];
  }
  return best;
}

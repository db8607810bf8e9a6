import type { Expression, TextRange } from './expression.ts';

/** Where the JSON string is, of which all parts get the place, because escapes make their own places differ. */
interface Place {
  range: TextRange;
  line: number;
  end_line: number;
}

const END = 'END_OF_JSON_STRING';

/** A decoded JSON string as the heredoc of an attribute; null if it has the word that ends it. */
export function heredocOf(value: string): string | null {
  return value.includes(END) ? null : `a = <<${END}\n${value}\n${END}\n`;
}

/** The expression of a JSON string, from that of its heredoc. */
export function jsonStringExpression(heredoc: Expression, place: Place): Expression {
  moveTo(place, heredoc);
  if (heredoc.kind !== 'template') return heredoc;
  const last = heredoc.parts.at(-1);
  const isBreak = last?.kind === 'literal' && typeof last.value === 'string' && last.value.endsWith('\n');
  const text = isBreak ? String(last.value).slice(0, -1) : '';
  const end: Expression[] = isBreak && text !== '' ? [{ ...last, value: text }] : [];
  const parts = isBreak ? [...heredoc.parts.slice(0, -1), ...end] : heredoc.parts;
  return { ...heredoc, heredoc: false, parts };
}

/** Changes the places in the expression itself, which was read only for this string. */
function moveTo(place: Place, part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const inner of Object.values(part)) moveTo(place, inner);
  if ('nameRange' in part) Object.assign(part, place, { nameRange: place.range, valueRange: place.range });
  else if ('range' in part) part.range = place.range;
}

import { literalExpression } from './build-expression.ts';
import type { DataScalar } from './data-node.ts';
import type { Expression } from './expression.ts';

const VARIABLE = /\$\{([^{}]*)\}/g;

/** The text of a `Fn::Sub`: `${Name}` and `${Resource.Attribute}` are references, `${!Name}` is the text `${Name}`. */
export function substitutionParts(text: string, scalar: DataScalar & { value: string }): Expression[] {
  const { value, range } = scalar;
  const inValue = [...value.matchAll(VARIABLE)];
  const inText = [...text.slice(range.start, range.end).matchAll(VARIABLE)];
  // Escapes and folded lines make the value differ from the text, but rarely in the number of variables.
  const places = inText.length === inValue.length ? inText.map(({ index }) => range.start + index) : null;
  const parts: Expression[] = [];
  let plain = '';
  let plainStart = range.start;
  let at = 0;
  const endPlain = (end: number) => {
    if (plain === '') return;
    const placed = places ? { start: plainStart, end } : range;
    parts.push(literalExpression(plain, { range: placed, text: text.slice(placed.start, placed.end) }));
    plain = '';
  };
  for (const [position, match] of inValue.entries()) {
    plain += value.slice(at, match.index);
    at = match.index + match[0].length;
    const name = (match[1] ?? '').trim();
    if (name.startsWith('!')) {
      plain += `\${${name.slice(1)}}`;
      continue;
    }
    const start = places?.[position] ?? range.start;
    const placed = places ? { start, end: start + (inText[position]?.[0].length ?? 0) } : range;
    endPlain(placed.start);
    plainStart = placed.end;
    const dot = name.indexOf('.');
    const steps = dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
    parts.push({ kind: 'reference', path: name, steps, range: placed, text: text.slice(placed.start, placed.end) });
  }
  plain += value.slice(at);
  endPlain(range.end);
  return parts;
}

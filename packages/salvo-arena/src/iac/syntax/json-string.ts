import type { Expression, TextRange, TraversalStep } from './expression.ts';

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
  if (heredoc.kind !== 'template') return placedAt(heredoc, place);
  const last = heredoc.parts.at(-1);
  const isBreak = last?.kind === 'literal' && typeof last.value === 'string' && last.value.endsWith('\n');
  const text = isBreak ? String(last.value).slice(0, -1) : '';
  const end: Expression[] = isBreak && text !== '' ? [{ ...last, value: text }] : [];
  const parts = isBreak ? [...heredoc.parts.slice(0, -1), ...end] : heredoc.parts;
  return placedAt({ ...heredoc, heredoc: false, parts }, place);
}

function placedAt(expression: Expression, place: Place): Expression {
  const { range } = place;
  const inside = (one: Expression) => placedAt(one, place);
  switch (expression.kind) {
    case 'literal':
    case 'reference':
    case 'other':
      return { ...expression, range };
    case 'template':
      return { ...expression, range, parts: expression.parts.map(inside) };
    case 'list':
      return { ...expression, range, items: expression.items.map(inside) };
    case 'object': {
      const entries = expression.entries.map(({ name, key, value }) => {
        return { name, key: inside(key), value: inside(value), nameRange: range, valueRange: range, ...place };
      });
      return { ...expression, range, entries };
    }
    case 'traversal': {
      const steps = expression.steps.map((step): TraversalStep => {
        return step.kind === 'index' ? { ...step, index: inside(step.index) } : step;
      });
      return { ...expression, range, base: inside(expression.base), steps };
    }
    case 'call':
      return { ...expression, range, args: expression.args.map(inside) };
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = expression;
      return {
        ...expression,
        range,
        condition: inside(condition),
        whenTrue: inside(whenTrue),
        whenFalse: inside(whenFalse),
      };
    }
    case 'operation':
      return { ...expression, range, operands: expression.operands.map(inside) };
    case 'for': {
      const { collection, key, value, condition } = expression;
      return {
        ...expression,
        range,
        collection: inside(collection),
        key: key && inside(key),
        value: inside(value),
        condition: condition && inside(condition),
      };
    }
  }
}

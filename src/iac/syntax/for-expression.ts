import type { Expression } from './expression.ts';

export interface ForParts {
  names: string[];
  collection: Expression[];
  /** The value; or the key and the value. */
  results: Expression[];
  condition: Expression | null;
  grouped: boolean;
}

export function forExpression(parts: ForParts, written: Pick<Expression, 'range' | 'text'>): Expression {
  const { names, condition, grouped } = parts;
  const [collection] = parts.collection;
  const valueName = names.at(-1);
  const value = parts.results.at(-1);
  const key = parts.results.length > 1 ? (parts.results[0] ?? null) : null;
  if (!collection || !value || valueName === undefined) return { kind: 'other', ...written };
  const keyName = names.length > 1 ? (names[0] ?? null) : null;
  return { kind: 'for', keyName, valueName, collection, key, value, condition, grouped, ...written };
}

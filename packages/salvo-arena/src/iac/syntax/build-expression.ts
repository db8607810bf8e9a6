import type { Expression, TraversalStep, Written } from './expression.ts';

const STRING = /^"[^"\\$%\r\n]*"$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const NAMES = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

/** A fast path for most values: a plain string, number, word or dotted name. Null for anything else. */
export function plainExpression(written: Written): Expression | null {
  const { text } = written;
  if (STRING.test(text)) return literalExpression(text.slice(1, -1), written);
  if (NUMBER.test(text)) return literalExpression(Number(text), written);
  if (!NAMES.test(text)) return null;
  if (text === 'true' || text === 'false') return literalExpression(text === 'true', written);
  if (text === 'null') return literalExpression(null, written);
  return { kind: 'reference', path: text, steps: text.split('.'), ...written };
}

export function literalExpression(value: string | number | boolean | null, written: Written): Expression {
  return { kind: 'literal', value, heredoc: false, ...written };
}

/** A term with its accessors: a reference as far as they are names and constants, and a traversal for the rest. */
export function traversalExpression(base: Expression, steps: readonly TraversalStep[], written: Written): Expression {
  if (base.kind !== 'reference' || base.text.startsWith('(')) {
    return { kind: 'traversal', base, steps: [...steps], ...written };
  }
  const firstOther = steps.findIndex(({ kind }) => kind !== 'name');
  const constant = firstOther < 0 ? steps : steps.slice(0, firstOther);
  const names = [...base.steps, ...constant.flatMap((step) => (step.kind === 'name' ? [step.name] : []))];
  const path = referencePath(names);
  if (constant.length === steps.length) return { kind: 'reference', path, steps: names, ...written };
  const range = { start: base.range.start, end: constant.at(-1)?.end ?? base.range.end };
  const text = written.text.slice(0, range.end - range.start);
  const head: Expression = { kind: 'reference', path, steps: names, range, text };
  return { kind: 'traversal', base: head, steps: steps.slice(constant.length), ...written };
}

/** `['a', 'b', 0, 'c', 'x y']` as `a.b[0].c["x y"]`. */
export function referencePath(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (index === 0) return step;
      return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
}

export interface ForParts {
  names: string[];
  collection: Expression[];
  /** The value, or the key and the value. */
  results: Expression[];
  condition: Expression | null;
  grouped: boolean;
}

export function forExpression(parts: ForParts, written: Written): Expression {
  const { names, condition, grouped } = parts;
  const [collection] = parts.collection;
  const valueName = names.at(-1);
  const value = parts.results.at(-1);
  const key = parts.results.length > 1 ? (parts.results[0] ?? null) : null;
  if (!collection || !value || valueName === undefined) return { kind: 'other', ...written };
  const keyName = names.length > 1 ? (names[0] ?? null) : null;
  return { kind: 'for', keyName, valueName, collection, key, value, condition, grouped, ...written };
}

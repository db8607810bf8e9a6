import type { Expression, TraversalStep } from './expression.ts';

const STRING = /^"[^"\\$%\r\n]*"$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const NAMES = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

/** A fast path for most values: a plain string, number, word or dotted name. Null for anything else. */
export function plainExpression(written: Pick<Expression, 'range' | 'text'>): Expression | null {
  const { text } = written;
  if (STRING.test(text)) return { kind: 'literal', value: text.slice(1, -1), heredoc: false, ...written };
  if (NUMBER.test(text)) return { kind: 'literal', value: Number(text), heredoc: false, ...written };
  if (!NAMES.test(text)) return null;
  if (text === 'true' || text === 'false')
    return { kind: 'literal', value: text === 'true', heredoc: false, ...written };
  if (text === 'null') return { kind: 'literal', value: null, heredoc: false, ...written };
  return { kind: 'reference', path: text, steps: text.split('.'), ...written };
}

/** A term with its accessors: a reference as far as they are names and constants, and a traversal for the rest. */
export function traversalExpression(
  base: Expression,
  steps: readonly TraversalStep[],
  written: Pick<Expression, 'range' | 'text'>,
): Expression {
  const isName = base.kind === 'reference' && !base.text.startsWith('(');
  const firstOther = steps.findIndex(({ kind }) => kind !== 'name');
  const constant = isName ? steps.slice(0, firstOther < 0 ? steps.length : firstOther) : [];
  if (!isName) return { kind: 'traversal', base, steps: [...steps], ...written };
  const names = constant.flatMap((step) => (step.kind === 'name' ? [step.name] : []));
  const all = [...base.steps, ...names];
  const path = referencePath(all);
  if (constant.length === steps.length) return { kind: 'reference', path, steps: all, ...written };
  const range = { start: base.range.start, end: constant.at(-1)?.end ?? base.range.end };
  const head: Expression = {
    kind: 'reference',
    path,
    steps: all,
    range,
    text: written.text.slice(0, range.end - range.start),
  };
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

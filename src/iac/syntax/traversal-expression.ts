import type { Expression, TraversalStep } from './expression.ts';

/** A term with what is accessed of it: a reference as far as names and constants go, and a traversal from there on. */
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

import type { CallExpression, Expression, ForExpression, TraversalExpression } from '../syntax/expression.ts';
import { operationResult, textOf } from './operators.ts';
import {
  isList,
  isObject,
  isUnknown,
  makeList,
  makeObject,
  makeText,
  type PartialValue,
  placeholder,
  sizeOf,
  sortedEntries,
  Unknown,
} from './partial-value.ts';

/** Where an expression is evaluated: the meaning of its names and functions. */
export interface Place {
  /** The value of `var.x`, `aws_s3_bucket.a.id` or, in CloudFormation, of a parameter or an attribute. */
  reference(steps: readonly (string | number)[]): PartialValue;
  call(call: CallExpression, place: Place): PartialValue;
  /** Names that are bound here: `each`, `count`, the iterator of a dynamic block, the names of a `for`. */
  names: ReadonlyMap<string, PartialValue>;
  work: Work;
}

/** The remaining budget, so that no code can take forever to evaluate. */
export interface Work {
  left: number;
  depth: number;
  /** Whether the reach is `plain`; see `Reach`. */
  plain: boolean;
}

/** Evaluates something once, by its key. A value that depends on itself is unknown. */
export type Memo = (key: string, text: string, find: () => PartialValue) => PartialValue;

export function createMemo(work: Work): Memo {
  const known = new Map<string, PartialValue | 'open'>();
  return (key, text, find) => {
    const before = known.get(key);
    if (before === 'open') return new Unknown(`${text} refers to itself`, placeholder(text));
    if (before !== undefined) return before;
    known.set(key, 'open');
    const found = find();
    // A value that was given up because of time or depth may be found from another place.
    if (isUnknown(found) && (work.left < 0 || work.depth > 100)) known.delete(key);
    else known.set(key, found);
    return found;
  };
}

/** A value that needs the reach `full`. */
export function undecided(text: string): Unknown {
  return new Unknown('it is beyond the plain reach', placeholder(text));
}

const MAX_DEPTH = 400;

export function evaluate(expression: Expression, place: Place): PartialValue {
  const { work } = place;
  work.left -= 1;
  if (work.left < 0) return new Unknown('it takes too long to evaluate', placeholder(expression.text));
  if (work.depth > MAX_DEPTH) return new Unknown('references go too deep', placeholder(expression.text));
  work.depth += 1;
  try {
    return evaluateKind(expression, place);
  } finally {
    work.depth -= 1;
  }
}

function evaluateKind(expression: Expression, place: Place): PartialValue {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'template':
      return templateResult(expression.parts.map((part) => evaluate(part, place)));
    case 'list':
      return makeList(expression.items.map((item) => evaluate(item, place)));
    case 'object':
      return objectResult(expression, place);
    case 'reference':
      return referenceResult(expression.steps, place);
    case 'traversal':
      return traversalResult(expression, place);
    case 'call':
      return place.call(expression, place);
    case 'conditional': {
      if (place.work.plain) return undecided(expression.text);
      const condition = evaluate(expression.condition, place);
      if (isUnknown(condition)) return new Unknown(condition.reason, placeholder(expression.text));
      return evaluate(isTrue(condition) ? expression.whenTrue : expression.whenFalse, place);
    }
    case 'operation':
      return operationResult(
        expression.operator,
        expression.operands.map((operand) => evaluate(operand, place)),
        placeholder(expression.text),
      );
    case 'for':
      return place.work.plain ? undecided(expression.text) : forResult(expression, place);
    case 'other':
      return new Unknown('this cannot be evaluated', placeholder(expression.text));
  }
}

export function templateResult(parts: readonly PartialValue[]): PartialValue {
  const [only] = parts;
  // `"${var.list}"` is the list itself.
  if (parts.length === 1 && only !== undefined) return only;
  const unknown = parts.find(isUnknown);
  const text = makeText(parts.map((part) => (isUnknown(part) ? part.text : textOf(part))).join(''));
  return unknown && typeof text === 'string' ? new Unknown(unknown.reason, text) : text;
}

function objectResult(expression: Extract<Expression, { kind: 'object' }>, place: Place): PartialValue {
  const entries: [string, PartialValue][] = [];
  for (const { key, value } of expression.entries) {
    const name = evaluate(key, place);
    entries.push([isUnknown(name) ? name.text : textOf(name), evaluate(value, place)]);
  }
  return makeObject(entries);
}

function referenceResult(steps: readonly (string | number)[], place: Place): PartialValue {
  const [root, ...rest] = steps;
  const bound = typeof root === 'string' ? place.names.get(root) : undefined;
  return bound === undefined ? place.reference(steps) : accessed(bound, rest);
}

/** The part of a value at a path of names and indices. */
export function accessed(value: PartialValue, steps: readonly (string | number)[]): PartialValue {
  let at = value;
  for (const step of steps) {
    if (isUnknown(at)) {
      const text = typeof step === 'number' ? `[${step}]` : `.${step}`;
      at = new Unknown(
        at.reason,
        at.text.replace(/\}$/, () => `${text}}`),
        { refersTo: at.refersTo },
      );
    } else at = memberOf(at, step);
  }
  return at;
}

function memberOf(value: PartialValue, step: string | number): PartialValue {
  if (isList(value)) {
    const found = value[Number(step)];
    // Elements after an unknown number of others have no known place.
    const before = value.slice(0, Number(step) + 1).find((item) => isUnknown(item) && item.several);
    if (before !== undefined) return new Unknown('the list is not known', placeholder(String(step)));
    return found === undefined ? new Unknown(`there is no element ${step}`, placeholder(String(step))) : found;
  }
  if (isObject(value) && Object.hasOwn(value, step)) return value[step] ?? null;
  return new Unknown(`there is no ${step}`, placeholder(String(step)));
}

function traversalResult(expression: TraversalExpression, place: Place): PartialValue {
  const [step] = expression.steps;
  // `aws_x.y[each.key].z`: with a known index this is a plain reference, which may be known even if the whole is not.
  if (expression.base.kind === 'reference' && step?.kind === 'index') {
    const index = evaluate(step.index, place);
    if (typeof index === 'string' || typeof index === 'number') {
      const names = expression.steps.slice(1).findIndex(({ kind }) => kind !== 'name');
      const upTo = names < 0 ? expression.steps.length : names + 1;
      const rest = expression.steps.slice(1, upTo).flatMap((next) => (next.kind === 'name' ? [next.name] : []));
      const base = referenceResult([...expression.base.steps, index, ...rest], place);
      return stepsResult(base, expression.steps.slice(upTo), place);
    }
  }
  return stepsResult(evaluate(expression.base, place), expression.steps, place);
}

function stepsResult(base: PartialValue, steps: TraversalExpression['steps'], place: Place): PartialValue {
  let at = base;
  for (const [position, step] of steps.entries()) {
    if (step.kind === 'splat') {
      if (isUnknown(at)) return accessed(at, ['*']);
      const items = isList(at) ? at : at === null ? [] : [at];
      place.work.left -= items.length;
      return makeList(items.map((item) => stepsResult(item, steps.slice(position + 1), place)));
    }
    const key = step.kind === 'name' ? step.name : evaluate(step.index, place);
    if (isUnknown(key)) return new Unknown(key.reason, key.text);
    at = accessed(at, [typeof key === 'number' ? key : textOf(key)]);
  }
  return at;
}

function forResult(expression: ForExpression, place: Place): PartialValue {
  const collection = evaluate(expression.collection, place);
  if (isUnknown(collection)) return new Unknown(collection.reason, placeholder(expression.text));
  const results: [string, PartialValue][] = [];
  for (const [key, item] of elementsOf(collection)) {
    const names = new Map(place.names).set(expression.valueName, item);
    if (expression.keyName !== null) names.set(expression.keyName, key);
    const inner = { ...place, names };
    const condition = expression.condition ? evaluate(expression.condition, inner) : true;
    if (isUnknown(condition)) return new Unknown(condition.reason, placeholder(expression.text));
    if (!isTrue(condition)) continue;
    const name = expression.key ? evaluate(expression.key, inner) : '';
    if (isUnknown(name)) return new Unknown(name.reason, placeholder(expression.text));
    results.push([textOf(name), evaluate(expression.value, inner)]);
    if (place.work.left < 0) return new Unknown('it takes too long to evaluate', placeholder(expression.text));
  }
  if (!expression.key) return makeList(results.map(([, value]) => value));
  if (!expression.grouped) return makeObject(results);
  const groups = Map.groupBy(results, ([name]) => name);
  return makeObject([...groups].map(([name, group]) => [name, makeList(group.map(([, value]) => value))]));
}

/** The keys and values of a list or object; none for anything else. */
function elementsOf(value: PartialValue): [string | number, PartialValue][] {
  if (isList(value)) return [...value.entries()];
  return isObject(value) ? sortedEntries(value) : [];
}

export function isTrue(value: PartialValue): boolean {
  return value === true || value === 'true';
}

/** Charges the budget for what a function is about to create. */
export function spend(place: Place, data: readonly PartialValue[]): void {
  for (const value of data) place.work.left -= Math.min(sizeOf(value), 1000);
}

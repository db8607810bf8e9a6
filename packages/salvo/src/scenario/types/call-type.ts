import type { ExpressionTree } from '../../text/json/expression.ts';
import { list } from '../../text/words/value-words.ts';
import { FUNCTION_TYPES, type FunctionParameter, KEY_TYPES, type Parameter, parametersOf } from './function-types.ts';
import {
  ANYTHING,
  canBe,
  canBeEqual,
  describeType,
  entryOf,
  isUnknown,
  kindsOf,
  type ValueKind,
  type ValueType,
} from './value-type.ts';
import type { Typed, Walk } from './walk.ts';

type CallNode = Extract<ExpressionTree, { type: 'Function' }>;

/** The type of the result of a function call. Reports arguments that the function never takes. */
export function callType(node: CallNode, at: Typed, walk: Walk): Typed {
  const name = `${node.name}(...)`;
  const result = FUNCTION_TYPES.get(node.name);
  // Unknown functions are found when the expression is compiled.
  if (!result) return { type: ANYTHING, name };
  const parameters = parametersOf(node.name);
  const wrongCount = arityProblem(node, parameters);
  if (wrongCount !== null) return walk.fail(node, { code: 'invalid-expression', message: wrongCount });
  const takes = (index: number) => (parameters[index] ?? parameters.at(-1))?.takes ?? [];
  const values = node.children.map((child, index) => (takes(index)[0] === 'expression' ? null : walk.visit(child, at)));
  const entries = values.find((value, index) => value && takes(index)[0] === 'list');
  const types: ValueType[] = [];
  for (const [index, child] of node.children.entries()) {
    const value = values[index];
    if (!value) {
      const found = keyType(child, { node, walk, entries, key: KEY_TYPES.get(node.name) ?? ['any'] });
      if (found === null) return { type: ANYTHING, name };
      types.push(found);
      continue;
    }
    const fit = fitOf(value.type, takes(index));
    if (fit === 'never' || child.type === 'ExpressionReference') {
      return walk.fail(child.type === 'Current' ? node : child, {
        code: 'invalid-expression',
        message: `${node.name}() needs ${describeParameter(takes(index))}, and ${value.name || 'this'} is ${child.type === 'ExpressionReference' ? 'an expression' : described(value.type)}`,
      });
    }
    if (fit === 'sometimes') walk.mayStop();
    types.push(value.type);
  }
  const useless = node.name === 'contains' ? neverContains(values) : null;
  if (useless !== null) return walk.fail(node, { code: 'invalid-expression', message: useless });
  return { type: typeof result === 'function' ? result(types) : result, name };
}

function arityProblem(node: CallNode, parameters: readonly FunctionParameter[]): string | null {
  const repeats = parameters.at(-1)?.repeats;
  const least = parameters.filter(({ isOptional }) => !isOptional).length;
  const most = repeats ? Number.POSITIVE_INFINITY : parameters.length;
  const count = node.children.length;
  if (count >= least && count <= most) return null;
  const wanted = repeats ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
  return `${node.name}() takes ${wanted} ${wanted.endsWith(' 1') || wanted === '1' ? 'argument' : 'arguments'}, not ${count}`;
}

interface Key {
  node: CallNode;
  walk: Walk;
  /** The list whose entries the expression is applied to. */
  entries: Typed | null | undefined;
  key: readonly Parameter[];
}

/** The type of what `&expression` finds in the entries of the list; null when it is refused. */
function keyType(child: ExpressionTree, { node, walk, entries, key }: Key): ValueType | null {
  if (child.type !== 'ExpressionReference') {
    walk.fail(child, {
      code: 'invalid-expression',
      message: `${node.name}() needs an expression here, written with an ampersand`,
      hint: 'such as &name',
    });
    return null;
  }
  const entry = { type: entries ? entryOf(entries.type) : ANYTHING, name: `${entries?.name ?? ''}[*]` };
  const { type, name } = walk.visit(child.child, entry);
  const fit = fitOf(type, key);
  if (fit === 'never') {
    const message = `${node.name}() needs ${describeParameter(key)} in each entry, and ${name} is ${describeType(type)}`;
    walk.fail(child, { code: 'invalid-expression', message });
    return null;
  }
  if (fit === 'sometimes' && !key.includes('any')) walk.mayStop();
  return type;
}

/** A list of maps never contains a text, whatever the list is. */
function neverContains([searched, wanted]: readonly (Typed | null)[]): string | null {
  if (!searched || !wanted || searched.type === ANYTHING) return null;
  const { list: entry, text } = searched.type;
  const isInText = text !== false && (isUnknown(wanted.type) || canBe(wanted.type, 'text'));
  if (isInText || (entry && canBeEqual(entry, wanted.type))) return null;
  const what = entry ? `the entries of ${searched.name} are ${describeType(entry)}` : `${searched.name} is a text`;
  return `contains() can never be true here: ${what}, and ${wanted.name} is ${describeType(wanted.type)}`;
}

type Fit = 'always' | 'sometimes' | 'never';

const ELEMENTS: Partial<Record<Parameter, ValueKind>> = { numbers: 'number', texts: 'text', lists: 'list' };

/** Whether values of a type are what a parameter takes. */
function fitOf(type: ValueType, parameters: readonly Parameter[]): Fit {
  if (parameters.includes('any')) return 'always';
  if (type === ANYTHING) return 'sometimes';
  const kinds = kindsOf(type);
  if (kinds.length === 0) return 'always';
  const taken = new Set<string>(parameters.map((parameter) => (ELEMENTS[parameter] ? 'list' : parameter)));
  const inside = kinds.filter((kind) => taken.has(kind));
  if (inside.length === 0) return 'never';
  const elements = parameters.flatMap((parameter) => ELEMENTS[parameter] ?? []);
  const entries = type.list && elements.length > 0 ? bestFit(type.list, elements) : 'always';
  if (entries === 'never') return inside.length > 1 ? 'sometimes' : 'never';
  return inside.length === kinds.length ? entries : 'sometimes';
}

/** The entries of a list must all be of one of the kinds. */
function bestFit(entry: ValueType, kinds: ValueKind[]): Fit {
  const possible = kindsOf(entry);
  if (possible.length === 0) return 'always';
  const fits = kinds.filter((kind) => possible.includes(kind));
  if (fits.length === 0) return 'never';
  return possible.length === 1 ? 'always' : 'sometimes';
}

/** `a number`, `a list of numbers`. */
function describeParameter(parameters: readonly Parameter[]): string {
  const words = parameters.map((parameter) => {
    if (ELEMENTS[parameter]) return `a list of ${parameter}`;
    return parameter === 'any' ? 'a value' : `${parameter === 'expression' ? 'an' : 'a'} ${parameter}`;
  });
  return list(words, 'or');
}

function described(type: ValueType): string {
  if (type === ANYTHING || !type.list || kindsOf(type).length > 1) return describeType(type);
  const entry = describeType(type.list);
  return `a list in which each entry is ${entry}`;
}

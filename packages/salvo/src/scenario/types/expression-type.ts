import type { ExpressionTree, ParsedExpression } from '../../text/json/expression.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { callType } from './call-type.ts';
import { firstPlace, namePlaces } from './expression-offsets.ts';
import { fieldType } from './field-type.ts';
import {
  ANYTHING,
  BOOLEAN,
  canBe,
  canBeEqual,
  describeType,
  entryOf,
  isUnknown,
  kindsOf,
  listOf,
  MISSING,
  mapOf,
  NEVER,
  NUMBER,
  orMissing,
  typeOfValue,
  union,
  unionOf,
  type ValueKind,
  type ValueType,
  valuesOf,
  withoutMissing,
} from './value-type.ts';
import type { ExpressionProblem, Typed, Walk } from './walk.ts';

export interface TypedExpression {
  /** What the expression can find. Any value when there are problems. */
  type: ValueType;
  problems: ExpressionProblem[];
}

/** Applies an expression to the type of a document: finds paths that no such document has, and what can be found. */
export function typeOfExpression(parsed: ParsedExpression, document: Typed): TypedExpression {
  const problems: ExpressionProblem[] = [];
  let stops = false;
  try {
    const places = namePlaces(parsed);
    const walk: Walk = {
      root: document,
      variables: new Map(),
      visit: (node, at) => visit(node, at, walk),
      fail(node, problem) {
        problems.push({ ...problem, offset: firstPlace(node, places)?.offset });
        return { type: ANYTHING, name: '' };
      },
      mayStop() {
        stops = true;
      },
      placeOf: (node) => places.get(node),
    };
    const { type } = walk.visit(parsed.tree, document);
    return { type: problems.length > 0 ? ANYTHING : stops ? orMissing(type) : type, problems };
  } catch (error) {
    // Nested more deeply than the stack allows. Such an expression is not checked.
    if (error instanceof RangeError) return { type: ANYTHING, problems: [] };
    throw error;
  }
}

function visit(node: ExpressionTree, at: Typed, walk: Walk): Typed {
  switch (node.type) {
    case 'Current':
    case 'Identity':
      return at;
    case 'Root':
      return walk.root;
    case 'Literal':
      return { type: typeOfValue(node.value), name: literalText(node.value) };
    case 'Field':
      return fieldType(node, at, walk);
    case 'Subexpression':
    case 'IndexExpression':
    case 'Pipe':
      return visitChain(node, at, walk);
    case 'Index':
      return visitIndex(node, at, walk);
    case 'Slice':
      return visitSlice(node, at, walk);
    case 'Projection':
    case 'ValueProjection':
    case 'FilterProjection':
      return visitProjection(node, at, walk);
    case 'Flatten':
      return visitFlatten(node, at, walk);
    case 'MultiSelectList':
      return { type: listOf(unionOf(node.children.map((child) => walk.visit(child, at).type))), name: 'the list' };
    case 'MultiSelectHash':
      return {
        type: mapOf(node.children.map(({ name, value }) => [name, walk.visit(value, at).type])),
        name: 'the map',
      };
    case 'Comparator':
      return visitComparator(node, at, walk);
    case 'NotExpression':
      walk.visit(node.child, at);
      return { type: BOOLEAN, name: 'the result' };
    case 'AndExpression':
      return either(walk.visit(node.left, at), walk.visit(node.right, at));
    case 'OrExpression': {
      const left = walk.visit(node.left, at);
      return either({ ...left, type: withoutMissing(left.type) }, walk.visit(node.right, at));
    }
    case 'Ternary':
      walk.visit(node.condition, at);
      return either(walk.visit(node.trueExpr, at), walk.visit(node.falseExpr, at));
    case 'Arithmetic':
      return arithmetic([node.left, node.right], at, walk);
    case 'Unary':
      return arithmetic([node.operand], at, walk);
    case 'Function':
      return callType(node, at, walk);
    case 'ExpressionReference':
      return { type: ANYTHING, name: '' };
    case 'LetExpression': {
      const bound = node.bindings.map(({ variable, reference }) => [variable, walk.visit(reference, at)] as const);
      const variables = new Map([...walk.variables, ...bound]);
      const inner: Walk = { ...walk, variables, visit: (child, value) => visit(child, value, inner) };
      return inner.visit(node.expression, at);
    }
    case 'Variable': {
      const message = `there is no variable $${node.name}`;
      return walk.variables.get(node.name) ?? walk.fail(node, { code: 'invalid-expression', message });
    }
    case 'Binding':
      return { type: ANYTHING, name: '' };
  }
}

type Binary = Pick<Extract<ExpressionTree, { left: unknown }>, 'type' | 'left' | 'right'>;
type NodeOf<T extends ExpressionTree['type']> = Extract<ExpressionTree, { type: T }>;

function visitChain(node: Binary, at: Typed, walk: Walk): Typed {
  const left = walk.visit(node.left, at);
  // An index has no name in the text: a problem with it is shown where its list is.
  const right =
    node.right.type === 'Index' ? visitIndex(node.right, left, walk, node.left) : walk.visit(node.right, left);
  // `a.length(b)` is not evaluated when there is no `a`.
  const skipped = node.type === 'Subexpression' && (left.type === ANYTHING || left.type.missing);
  return skipped ? { ...right, type: orMissing(right.type) } : right;
}

function visitIndex(node: NodeOf<'Index'>, at: Typed, walk: Walk, shownAt: ExpressionTree = node): Typed {
  const name = `${at.name}[${node.value}]`;
  // `[?...][0]` takes the first entry of each entry, not of the list.
  const hint = /\]$|\]\./.test(at.name) ? `to take one entry of the list, use a pipe: | [${node.value}]` : undefined;
  const what = `[${node.value}]`;
  const refused = refuseUnless(['list'], { node: shownAt, at, walk, what, ...(hint && { hint }) });
  return refused ?? { type: at.type === ANYTHING ? ANYTHING : orMissing(entryOf(at.type)), name };
}

function visitSlice(node: NodeOf<'Slice'>, at: Typed, walk: Walk): Typed {
  if (node.step === 0) {
    return walk.fail(node, { code: 'invalid-expression', message: 'the step of a slice cannot be 0' });
  }
  const refused = refuseUnless(['list', 'text'], { node, at, walk, what: 'a slice' });
  if (refused || at.type === ANYTHING) return refused ?? at;
  const { list, text } = at.type;
  const other = kindsOf(at.type).some((kind) => kind !== 'list' && kind !== 'text');
  return { type: { ...NEVER, list, text: text !== false, missing: other }, name: at.name };
}

function visitProjection(node: Binary & { condition?: ExpressionTree }, at: Typed, walk: Walk): Typed {
  const base = walk.visit(node.left, at);
  const ofMap = node.type === 'ValueProjection';
  const isSlice = node.left.type === 'IndexExpression' && node.left.right.type === 'Slice';
  const allowed: ValueKind[] = ofMap ? ['map'] : isSlice ? ['list', 'text'] : ['list'];
  const refused = refuseUnless(allowed, { node: node.left, at: base, walk, what: ofMap ? '*' : '[*] or [?...]' });
  if (refused) return refused;
  const isList = node.left.type === 'Flatten' || isSlice;
  const suffix = node.condition ? '[?...]' : isList ? '' : ofMap ? '.*' : '[*]';
  const entry = { type: ofMap ? valuesOf(base.type) : entryOf(base.type), name: `${base.name}${suffix}` };
  if (node.condition) walk.visit(node.condition, entry);
  const right = walk.visit(node.right, entry);
  if (base.type === ANYTHING) return { type: ANYTHING, name: right.name };
  const found = listOf(withoutMissing(right.type));
  const others = kindsOf(base.type).filter((kind) => !allowed.includes(kind));
  const withText = isSlice && canBe(base.type, 'text') ? union(found, { ...NEVER, text: true, missing: true }) : found;
  return { type: others.length > 0 ? orMissing(withText) : withText, name: right.name };
}

function visitFlatten(node: ExpressionTree & { child: ExpressionTree }, at: Typed, walk: Walk): Typed {
  const base = walk.visit(node.child, at);
  const name = `${base.name}[]`;
  const refused = refuseUnless(['list'], { node, at: base, walk, what: '[]' });
  if (refused || base.type === ANYTHING) return refused ?? { type: ANYTHING, name };
  const entry = entryOf(base.type);
  const flat = entry === ANYTHING ? ANYTHING : union({ ...entry, list: null }, entry.list ?? NEVER);
  const type = listOf(flat);
  return { type: kindsOf(base.type).length > 1 ? orMissing(type) : type, name };
}

function visitComparator(node: NodeOf<'Comparator'>, at: Typed, walk: Walk): Typed {
  const left = walk.visit(node.left, at);
  const right = walk.visit(node.right, at);
  const name = 'the comparison';
  if (node.name === 'EQ' || node.name === 'NE') {
    if (canBeEqual(left.type, right.type)) return { type: BOOLEAN, name };
    const sides = `${left.name} is ${describeType(left.type)}, and ${right.name} is ${describeType(right.type)}`;
    const never = node.name === 'EQ' ? '== can never be true' : '!= is always true';
    const written = [left, right].some((side) => side.name.startsWith("'")) ? withoutLiterals(left, right) : sides;
    return walk.fail(node, { code: 'invalid-expression', message: `${never} here: ${written}` });
  }
  for (const side of [left, right]) {
    if (isUnknown(side.type) || canBe(side.type, 'number')) continue;
    const message = `only numbers can be compared with < and >, and ${side.name} is ${describeType(side.type)}`;
    return walk.fail(node, { code: 'invalid-expression', message });
  }
  const numbers = [left, right].every(({ type }) => kindsOf(type).every((kind) => kind === 'number'));
  return { type: numbers ? BOOLEAN : orMissing(BOOLEAN), name };
}

/** A literal needs no description beside its text. */
function withoutLiterals(left: Typed, right: Typed): string {
  const [literal, other] = left.name.startsWith("'") ? [left, right] : [right, left];
  return `${other.name} is ${describeType(other.type)}, never ${literal.name}`;
}

function arithmetic(operands: ExpressionTree[], at: Typed, walk: Walk): Typed {
  for (const operand of operands) {
    const { type, name } = walk.visit(operand, at);
    if (isUnknown(type) || canBe(type, 'number')) {
      if (kindsOf(type).length > 1) walk.mayStop();
      continue;
    }
    const message = `only numbers can be calculated with, and ${name} is ${describeType(type)}`;
    return walk.fail(operand, { code: 'invalid-expression', message });
  }
  return { type: NUMBER, name: 'the result' };
}

function either(left: Typed, right: Typed): Typed {
  return { type: union(left.type, right.type), name: 'the result' };
}

/** A problem when the value can be none of these kinds: the step would always give null. */
function refuseUnless(
  kinds: ValueKind[],
  { node, at, walk, what, hint }: { node: ExpressionTree; at: Typed; walk: Walk; what: string; hint?: string },
): Typed | null {
  if (isUnknown(at.type) || kinds.some((kind) => canBe(at.type, kind))) return null;
  if (at.type !== ANYTHING && kindsOf(at.type).every((kind) => kind === 'missing')) return { type: MISSING, name: '' };
  const wanted = kinds.map((kind) => (kind === 'text' ? 'a text' : `a ${kind}`)).join(' or ');
  return walk.fail(node, {
    code: 'unknown-path',
    message: `${what} needs ${wanted}, and ${at.name || 'the value'} is ${describeType(at.type)}`,
    hint,
  });
}

const LONGEST_SHOWN = 60;

function literalText(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : `\`${JSON.stringify(value)}\``;
  return cutEnd(text, LONGEST_SHOWN, '…');
}

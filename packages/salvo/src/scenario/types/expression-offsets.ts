import type { ExpressionTree, ParsedExpression } from '../../text/json/expression.ts';

/** Where a name is written in an expression. */
export interface NamePlace {
  offset: number;
  /** Written in double quotes, which JMESPath reads as the name of a field. */
  quoted: boolean;
}

/**
 * The places of the fields and functions of an expression. The library's tree has no positions, but its names are in the
 * order of the text. Empty when the two do not agree.
 */
export function namePlaces({ tree, tokens }: ParsedExpression): ReadonlyMap<ExpressionTree, NamePlace> {
  const names: { name: string; node: ExpressionTree }[] = [];
  collectNames(tree, (name, node) => names.push({ name, node }));
  const written = tokens.filter(({ type }) => type === 'UnquotedIdentifier' || type === 'QuotedIdentifier');
  const places = new Map<ExpressionTree, NamePlace>();
  let next = 0;
  for (const { name, node } of names) {
    // The keywords of `let $x = a in $x` are names without a node.
    while (written[next] && written[next]?.value !== name && isKeyword(written[next]?.value)) next += 1;
    const token = written[next];
    if (token?.value !== name) return new Map();
    places.set(node, { offset: token.start, quoted: token.type === 'QuotedIdentifier' });
    next += 1;
  }
  return places;
}

function isKeyword(value: unknown): boolean {
  return value === 'let' || value === 'in';
}

function collectNames(node: ExpressionTree, add: (name: string, node: ExpressionTree) => void): void {
  if (node.type === 'Field' || node.type === 'Function') add(node.name, node);
  for (const child of childrenOf(node)) {
    if ('key' in child) add(child.key, child.node);
    else collectNames(child.node, add);
  }
}

type Child = { node: ExpressionTree } | { key: string; node: ExpressionTree };

/** The parts of a node in the order of the text. The keys of a `{key: value}` are names, too. */
function childrenOf(node: ExpressionTree): Child[] {
  switch (node.type) {
    case 'FilterProjection':
      return [{ node: node.left }, { node: node.condition }, { node: node.right }];
    case 'Ternary':
      return [{ node: node.condition }, { node: node.trueExpr }, { node: node.falseExpr }];
    case 'Function':
    case 'MultiSelectList':
      return node.children.map((child) => ({ node: child }));
    case 'MultiSelectHash':
      return node.children.flatMap(({ name, value }): Child[] => [{ key: name, node }, { node: value }]);
    case 'LetExpression':
      return [...node.bindings.map(({ reference }) => ({ node: reference })), { node: node.expression }];
    case 'Unary':
      return [{ node: node.operand }];
    default:
      if ('left' in node) return [{ node: node.left }, { node: node.right }];
      return 'child' in node ? [{ node: node.child }] : [];
  }
}

/** The place of the first name in a node. */
export function firstPlace(
  node: ExpressionTree,
  places: ReadonlyMap<ExpressionTree, NamePlace>,
): NamePlace | undefined {
  const own = places.get(node);
  if (own) return own;
  for (const child of childrenOf(node)) {
    const place = 'key' in child ? undefined : firstPlace(child.node, places);
    if (place) return place;
  }
  return undefined;
}

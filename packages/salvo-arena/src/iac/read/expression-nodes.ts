import { once } from 'salvo/kit/text';
import type { BlockView } from '../evaluate/block-view.ts';
import type { Scope } from '../evaluate/scope.ts';
import { knownPart, type Value } from '../evaluate/value.ts';
import type { Expression, TextRange } from '../syntax/expression.ts';
import { type CodeNode, type CodePlace, jsonNode, knownNode, type Spot } from './code-node.ts';
import { policySource } from './references.ts';

export interface ExpressionContext {
  scope: Scope;
  spotAt(file: string, range: TextRange): Spot;
  /** The node of the policy document at an address, if its own statements are all it has. */
  policyDocument(address: string): CodeNode | null;
}

/** Where an expression is written, and evaluated. */
interface ExpressionSite {
  file: string;
  view: BlockView;
  spot: Spot;
  place: CodePlace;
}

type ListCode = Extract<Expression, { kind: 'list' }>;
type MapCode = Extract<Expression, { kind: 'object' }>;

/** These functions only encode: their argument is what is meant. */
const ENCODINGS = new Set(['jsonencode', 'base64encode', 'Fn::ToJsonString', 'Fn::Base64']);

/** An ARN whose only unknown part is the partition, which makes no difference to any check. */
const PARTITION = /^arn:\$\{[^{}]*\}:(?=[^$]*$)/;

/** The node of an expression. None for null and for `AWS::NoValue`, which both mean that nothing is set. */
export function expressionNodes(
  context: ExpressionContext,
  it: Expression,
  site: ExpressionSite,
  value?: Value,
): CodeNode[] {
  if (it.kind === 'call' && ENCODINGS.has(it.name) && it.args[0]) return expressionNodes(context, it.args[0], site);
  // `"${jsonencode({...})}"` is the call itself.
  if (it.kind === 'template' && it.parts.length === 1 && it.parts[0]) {
    return expressionNodes(context, it.parts[0], site, value);
  }
  if (it.kind === 'list') return [listNode(context, it, site)];
  if (it.kind === 'object') return [mapNode(context, it, site)];
  const document = documentNode(context, it, site);
  return document ? [document] : valueNodes(value ?? context.scope.resolve(it, site.view), site.spot);
}

function listNode(context: ExpressionContext, list: ListCode, site: ExpressionSite): CodeNode {
  const node: CodeNode = knownNode({
    ...site,
    json: () => knownPart(context.scope.resolve(list, site.view)),
    children: (name) => node.items().flatMap((item) => item.children(name)),
    items: () =>
      list.items.flatMap((item) => {
        const spot = context.spotAt(site.file, item.range);
        return expressionNodes(context, item, { ...site, spot, place: entriesPlace(item, spot) });
      }),
    names: () => [],
  });
  return node;
}

/** A map in a list takes up the lines of its entries: the lines of its braces say nothing. */
function entriesPlace(item: Expression, { file, line, end_line }: Spot): CodePlace {
  const entries = item.kind === 'object' ? item.entries : [];
  return { file, line: entries[0]?.line ?? line, end_line: entries.at(-1)?.end_line ?? end_line };
}

function mapNode(context: ExpressionContext, map: MapCode, site: ExpressionSite): CodeNode {
  // A map with many entries must not be searched for each of them. Of duplicate names, the last one wins.
  const entries = once(() => new Map(map.entries.map((entry) => [entry.name, entry])));
  return knownNode({
    ...site,
    json: () => knownPart(context.scope.resolve(map, site.view)),
    children: (name) => {
      const entry = entries().get(name);
      if (!entry) return [];
      const spot = context.spotAt(site.file, entry.range);
      return expressionNodes(context, entry.value, { ...site, spot, place: spot });
    },
    names: () => map.entries.map(({ name }) => name),
  });
}

/** The document behind `data.aws_iam_policy_document.x.json`, whose statements have places of their own. */
function documentNode(context: ExpressionContext, it: Expression, { view, spot }: ExpressionSite): CodeNode | null {
  const source = policySource(it, (key) => {
    const value = context.scope.resolve(key, view);
    return value.known ? value.value : undefined;
  });
  const document = source && context.policyDocument(`${view.module}${source.address}${source.key}`);
  return document && knownNode({ spot, json: () => document.json, children: document.children, names: document.names });
}

function valueNodes(value: Value, spot: Spot): CodeNode[] {
  const isNothing = value.known ? value.value === null : value.reason === 'AWS::NoValue';
  if (isNothing) return [];
  const part = knownPart(value);
  if (typeof part !== 'string' || !PARTITION.test(part)) return [jsonNode(part, spot, value.known)];
  return [jsonNode(part.replace(PARTITION, 'arn:aws:'), spot, true)];
}

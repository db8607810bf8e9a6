import type { Json } from '../../../iac/evaluate/value.ts';
import type { CodeNode } from './code-node.ts';

/** One statement that allows something. Actions are in small letters; parts that are not known have `${` in them. */
export interface Statement {
  node: CodeNode;
  /** All statements of the policy, whatever their effect. */
  all: readonly CodeNode[];
  actions: string[];
  /** It names what is not allowed, and so allows all the rest. */
  hasNotAction: boolean;
  resources: string[];
  /** By kind: AWS, Service, Federated; `*` for a principal that is just that. */
  principals: { kind: string; id: string; isKnown: boolean }[];
  hasNotPrincipal: boolean;
  conditions: Condition[];
}

export interface Condition {
  operator: string;
  /** In small letters: `aws:sourceaccount`. */
  key: string;
  values: string[];
}

/** What a policy allows. What it denies never makes it worse. */
export function allowedBy(policy: CodeNode): Statement[] {
  const all = statementNodes(policy);
  return all.filter(hasEffect('allow')).map((node) => ({
    node,
    all,
    actions: textsAt(node, 'Action').map((text) => text.toLowerCase()),
    hasNotAction: node.children('NotAction').length > 0,
    resources: textsAt(node, 'Resource'),
    principals: node.children('Principal').flatMap(principalsOf),
    hasNotPrincipal: node.children('NotPrincipal').length > 0,
    conditions: node.children('Condition').flatMap(conditionsOf),
  }));
}

export function deniedBy(policy: CodeNode): Condition[][] {
  const denying = statementNodes(policy).filter(hasEffect('deny'));
  return denying.map((node) => node.children('Condition').flatMap(conditionsOf));
}

function statementNodes(policy: CodeNode): CodeNode[] {
  return policy
    .children('Statement')
    .flatMap((statements) => statements.items())
    .filter((node) => node.known);
}

function hasEffect(effect: string): (statement: CodeNode) => boolean {
  return (statement) => statement.children('Effect').some(({ json }) => String(json).toLowerCase() === effect);
}

function textsAt(node: CodeNode, name: string): string[] {
  return node
    .children(name)
    .flatMap((child) => child.items().flatMap(({ json }) => (typeof json === 'string' ? [json] : [])));
}

function principalsOf(principal: CodeNode): Statement['principals'] {
  // A block of `aws_iam_policy_document` says its kind in an attribute.
  const kinds = principal.children('type');
  if (principal.json === null && kinds.length > 0) {
    const kind = String(kinds[0]?.json);
    return identifiers(kind, principal.children('identifiers'));
  }
  if (typeof principal.json === 'string') return [{ kind: '*', id: principal.json, isKnown: principal.known }];
  return ['AWS', 'Service', 'Federated', 'CanonicalUser', '*'].flatMap((kind) =>
    identifiers(kind, principal.children(kind)),
  );
}

function identifiers(kind: string, nodes: readonly CodeNode[]): Statement['principals'] {
  return nodes
    .flatMap((node) => node.items())
    .flatMap(({ json, known }) => (typeof json === 'string' ? [{ kind, id: json, isKnown: known }] : []));
}

function conditionsOf(condition: CodeNode): Condition[] {
  const [test] = condition.children('test');
  const [variable] = condition.children('variable');
  if (condition.json === null && test && variable) {
    const values = condition.children('values').flatMap((list) => list.items().map(({ json }) => String(json)));
    return [{ operator: String(test.json), key: String(variable.json).toLowerCase(), values }];
  }
  if (!condition.known) return [{ operator: '', key: '', values: [] }];
  return condition.names().flatMap((operator) =>
    condition.children(operator).flatMap((keys) =>
      keys.names().map((key) => ({
        operator,
        key: key.toLowerCase(),
        values: keys.children(key).flatMap((value) => valuesOf(value.json)),
      })),
    ),
  );
}

function valuesOf(json: Json): string[] {
  return Array.isArray(json) ? json.map(String) : [String(json)];
}

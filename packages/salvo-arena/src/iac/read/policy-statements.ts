import { foldedName, remembered } from 'salvo/kit/text';
import type { CodeNode } from './code-node.ts';

/** One statement of a policy. Unknown parts of a text are `${...}`. */
export type PolicyStatement = ReturnType<typeof statementOf>;

export interface Principal {
  /** AWS, Service, Federated; `*` for a principal that is a text of its own. */
  kind: string;
  id: string;
}

export interface PolicyCondition {
  /** In lower case: `aws:sourceaccount`. Empty when the condition is unknown. */
  key: string;
  values: string[];
}

/** The parts of a statement as JSON names them, and as a Terraform policy document does. */
const PARTS = {
  Effect: 'effect',
  Action: 'actions',
  NotAction: 'not_actions',
  Resource: 'resources',
  Principal: 'principals',
  NotPrincipal: 'not_principals',
  Condition: 'condition',
} as const;

export type StatementPart = keyof typeof PARTS;

const read = new WeakMap<CodeNode, PolicyStatement[]>();

/** The statements of a policy: of a JSON document, or of a `data "aws_iam_policy_document"`. */
export function policyStatements(policy: CodeNode): PolicyStatement[] {
  return remembered(read, policy, () => {
    const inJson = policy.children('Statement').flatMap((statements) => statements.items());
    const inDocument = policy.children('statement');
    return [
      ...inJson.filter(isMap).map((node) => statementOf(node, null)),
      // A document allows what it does not deny.
      ...inDocument.filter(isMap).map((node) => statementOf(node, 'allow')),
    ];
  });
}

/** More than any resource nests; hostile code may nest more. */
const DEEPEST = 14;

/** The statements of all policies anywhere in a node. */
export function statementsBelow(node: CodeNode, depth = DEEPEST): PolicyStatement[] {
  if (depth === 0) return [];
  return node.items().flatMap((item) => [
    ...policyStatements(item),
    ...item
      .names()
      .filter((name) => foldedName(name) !== 'statement')
      .flatMap((name) => item.children(name).flatMap((child) => statementsBelow(child, depth - 1))),
  ]);
}

function statementOf(node: CodeNode, defaultEffect: string | null) {
  const parts = (name: StatementPart) => [...node.children(name), ...node.children(PARTS[name])];
  const [effect] = parts('Effect');
  return {
    node,
    /** In lower case; null when the statement does not say. */
    effect: effect ? String(effect.json).toLowerCase() : defaultEffect,
    /** In lower case. */
    actions: parts('Action')
      .flatMap(textsOf)
      .map((action) => action.toLowerCase()),
    /** It names the actions that it is not about, and so is about all others. */
    hasNotAction: parts('NotAction').length > 0,
    resources: parts('Resource').flatMap(textsOf),
    principals: parts('Principal').flatMap(principalsOf),
    hasNotPrincipal: parts('NotPrincipal').length > 0,
    conditions: parts('Condition').flatMap(conditionsOf),
    /** Where a part of the statement is written; undefined when it does not have that part. */
    part: (name: StatementPart) => parts(name)[0],
  };
}

function isMap(node: CodeNode): boolean {
  return node.known && node.names().length > 0;
}

function textsOf(node: CodeNode): string[] {
  return node.items().flatMap(({ json }) => (typeof json === 'string' ? [json] : []));
}

function principalsOf(principal: CodeNode): Principal[] {
  // A block of a policy document has its kind in an attribute.
  const [type] = principal.children('type');
  if (type && principal.names().includes('identifiers')) {
    return principal
      .children('identifiers')
      .flatMap((ids) => textsOf(ids).map((id) => ({ kind: String(type.json), id })));
  }
  // AWS rejects a list of principals, but it is written all the same.
  if (Array.isArray(principal.json)) return principal.items().flatMap(principalsOf);
  if (typeof principal.json === 'string') return [{ kind: '*', id: principal.json }];
  return principal
    .names()
    .flatMap((kind) => principal.children(kind).flatMap((ids) => textsOf(ids).map((id) => ({ kind, id }))));
}

function conditionsOf(condition: CodeNode): PolicyCondition[] {
  if (!condition.known) return [{ key: '', values: [] }];
  const [variable] = condition.children('variable');
  if (variable && condition.names().includes('test')) {
    return [{ key: String(variable.json).toLowerCase(), values: condition.children('values').flatMap(valuesOf) }];
  }
  const tests = condition.names().flatMap((test) => condition.children(test));
  return tests.flatMap((keys) =>
    keys.names().flatMap((key) => {
      const values = keys.children(key);
      // A key that evaluates to nothing is no condition.
      return values.length === 0 ? [] : [{ key: key.toLowerCase(), values: values.flatMap(valuesOf) }];
    }),
  );
}

function valuesOf(node: CodeNode): string[] {
  return node.items().map(({ json }) => String(json));
}

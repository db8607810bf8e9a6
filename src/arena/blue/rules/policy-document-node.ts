import type { CodeNode, Spot } from './code-node.ts';

const STATEMENT_NAMES: Record<string, string> = {
  Sid: 'sid',
  Effect: 'effect',
  Action: 'actions',
  NotAction: 'not_actions',
  Resource: 'resources',
  NotResource: 'not_resources',
  Principal: 'principals',
  NotPrincipal: 'not_principals',
  Condition: 'condition',
};

/** A `data "aws_iam_policy_document"` in the words of the policy that it stands for; its parts keep their places. */
export function policyDocumentNode(document: CodeNode, spot: Spot): CodeNode {
  const node: CodeNode = {
    spot,
    known: true,
    json: {},
    children: (name) => (name === 'Statement' ? document.children('statement').map(statementNode) : []),
    items: () => [node],
    names: () => ['Statement'],
  };
  return node;
}

function statementNode(statement: CodeNode): CodeNode {
  const children = (name: string): CodeNode[] => {
    const own = Object.hasOwn(STATEMENT_NAMES, name) ? STATEMENT_NAMES[name] : undefined;
    const found = own === undefined ? [] : statement.children(own);
    // What a document does not say is allowed.
    return name === 'Effect' && found.length === 0 ? [{ ...statement, json: 'Allow' }] : found;
  };
  const node: CodeNode = { ...statement, children, items: () => [node] };
  return node;
}

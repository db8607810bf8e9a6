import type { Expression } from '../syntax/expression.ts';

/**
 * The data source that a policy is taken from: `data.aws_iam_policy_document.x`, and `["a"]` if it has several
 * instances.
 */
export interface PolicySource {
  address: string;
  key: string;
}

export function policySource(expression: Expression): PolicySource | null {
  if (expression.kind !== 'reference') return null;
  const [kind, type, name, ...rest] = expression.steps;
  if (kind !== 'data' || type !== 'aws_iam_policy_document' || rest.length > 2 || rest.at(-1) !== 'json') return null;
  return { address: `data.${type}.${name}`, key: rest.length > 1 ? `[${JSON.stringify(rest[0])}]` : '' };
}

import type { Expression } from '../../../iac/syntax/expression.ts';

/** The address of the document that a policy is taken from: `data.aws_iam_policy_document.x`. */
export function policySource(expression: Expression): string | null {
  if (expression.kind !== 'reference') return null;
  const [data, type, name, json] = expression.steps;
  const isDocument = data === 'data' && type === 'aws_iam_policy_document' && json === 'json';
  return isDocument && typeof name === 'string' ? `data.aws_iam_policy_document.${name}` : null;
}

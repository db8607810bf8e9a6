import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../iac/edit/edits.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { operatorsFor } from './operators.ts';

const operator = (id: string) => {
  const found = operatorsFor('terraform').find((one) => one.id === id);
  if (!found) throw new Error(`there is no operator ${id}`);
  return found;
};

const mutate = async (id: string, code: string) => {
  const project = await parseCode({ 'main.tf': code });
  const one = operator(id);
  const [target] = one.targets(project, createScope(project));
  if (!target) return null;
  const [edit] = one.apply(project, target);
  const changed = applyEdits(code, edit?.edits ?? []);
  const scope = createScope(await parseCode({ 'main.tf': changed }));
  return { target, changed, isPresent: one.isPresent(scope, target), place: one.locate(scope, target) };
};

const ENCODED = `resource "aws_iam_role_policy" "p" {
  role = "r"
  policy = jsonencode({
    Statement = [{
      Effect   = "Allow"
      Action   = ["s3:GetObject"]
      Resource = "arn:aws:s3:::a/*"
    }]
  })
}
`;

const document = (users: string) => `data "aws_iam_policy_document" "d" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::a/*"]
  }
}
${users}`;
const user = (name: string) =>
  `resource "aws_iam_role_policy" "${name}" {\n  role   = "r"\n  policy = data.aws_iam_policy_document.d.json\n}\n`;

describe('a policy that is written in the resource', () => {
  it('has one field of a statement changed, and shows the statement', async () => {
    const result = await mutate('iam-policy-wildcard-action', ENCODED);
    expect(result?.changed).toBe(ENCODED.replace('["s3:GetObject"]', '"*"'));
    expect(result?.isPresent).toBe(true);
    expect(result?.place).toEqual({ file: 'main.tf', line: 5, end_line: 7 });
  });

  it('is no target when it already grants too much', async () => {
    expect(await mutate('iam-policy-wildcard-action', ENCODED.replace('["s3:GetObject"]', '["*"]'))).toBeNull();
  });
});

describe('a policy that comes from a document', () => {
  it('is changed there, and names the document as well', async () => {
    const code = document(user('p'));
    const result = await mutate('iam-policy-wildcard-resource', code);
    expect(result?.changed).toBe(code.replace('["arn:aws:s3:::a/*"]', '["*"]'));
    expect(result?.isPresent).toBe(true);
    expect(result?.target.related).toEqual(['data.aws_iam_policy_document.d']);
    expect(result?.place).toEqual({ file: 'main.tf', line: 2, end_line: 5 });
  });

  it('is no target when two resources share it: that would be two flaws', async () => {
    expect(await mutate('iam-policy-wildcard-resource', document(user('p') + user('q')))).toBeNull();
  });

  it('carries the flaw in a list of its own', async () => {
    const project = await parseCode({ 'main.tf': document(user('p')) });
    const target = { address: 'aws_iam_role_policy.p', file: 'main.tf', attribute: 'policy', related: [] };
    expect(operator('iam-policy-wildcard-action').weakValue(project, target)).toMatchObject({
      address: 'data.aws_iam_policy_document.d',
      attribute: 'statement.actions',
      insecure: '["*"]',
      type: 'list(string)',
    });
  });
});

describe('a trust policy', () => {
  const trust = (condition: string) => `resource "aws_iam_role" "r" {
  assume_role_policy = jsonencode({
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::210987654321:root" }
      Action    = "sts:AssumeRole"
${condition}    }]
  })
}
`;

  it('loses its condition', async () => {
    const condition = '      Condition = { StringEquals = { "sts:ExternalId" = "a1" } }\n';
    const result = await mutate('iam-role-no-external-id', trust(condition));
    expect(result?.changed).toBe(trust(''));
    expect(result?.isPresent).toBe(true);
  });

  it('without a condition is no target', async () => {
    expect(await mutate('iam-role-no-external-id', trust(''))).toBeNull();
  });
});

describe('the severity of a policy', () => {
  const severityOf = async (id: string, code: string) => {
    const project = await parseCode({ 'main.tf': code });
    const [block] = project.files[0]?.blocks ?? [];
    const target = { address: block?.address ?? '', file: 'main.tf', attribute: 'policy', related: [] };
    return operator(id).severity(createScope(project), target, 'high');
  };
  const policy = (type: string, statement: string) => `resource "${type}" "p" {
  policy = jsonencode({ Statement = [{ Effect = "Allow", ${statement} }] })
}
`;
  const role = 'Principal = { AWS = "arn:aws:iam::210987654321:role/worker" }';

  it.each([
    ['iam-policy-wildcard-action', policy('aws_iam_policy', 'Action = "*", Resource = "arn:aws:s3:::a/*"'), 'medium'],
    ['iam-policy-wildcard-action', policy('aws_iam_policy', 'Action = "*", Resource = "arn:aws:s3:::*"'), 'high'],
    ['sqs-policy-wildcard-action', policy('aws_sqs_queue_policy', `Action = "sqs:*", ${role}`), 'medium'],
    ['sqs-policy-wildcard-action', policy('aws_sqs_queue_policy', 'Action = "sqs:*", Principal = "*"'), 'high'],
  ])('%s: every action is less severe for one role, or on the objects of one bucket', async (id, code, expected) => {
    expect(await severityOf(id, code)).toBe(expected);
  });
});

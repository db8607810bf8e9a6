import { describe, expect, it } from 'vitest';
import { createScope } from '../evaluate/scope.ts';
import { parseCode } from '../syntax/parse-code.ts';
import { codeReader } from './code-reader.ts';
import { policyStatements, statementsBelow } from './policy-statements.ts';

const resourceIn = async (code: string) => {
  const scope = createScope(await parseCode({ 'main.tf': code }));
  const [view] = scope.instances().filter(({ kind }) => kind === 'resource');
  if (!view) throw new Error('the code has no resource');
  return codeReader(scope).instance(view);
};
const statementsOf = async (code: string) => (await resourceIn(code)).children('policy').flatMap(policyStatements);

const STATEMENT = `Effect = "Allow", Action = "S3:Get*", Resource = ["*"], Principal = { AWS = "*", Service = ["a", "b"] }`;
const CONDITION = `Condition = { StringEquals = { "aws:SourceAccount" = "1" } }`;
const WRITTEN: [how: string, code: string][] = [
  [
    'an encoded object',
    `resource "p" "a" {\n  policy = jsonencode({ Statement = [{ ${STATEMENT}, ${CONDITION} }] })\n}\n`,
  ],
  [
    'a single statement in a local value',
    `locals {\n  p = { Statement = { ${STATEMENT}, ${CONDITION} } }\n}\nresource "p" "a" {\n  policy = jsonencode(local.p)\n}\n`,
  ],
  [
    'a text',
    `resource "p" "a" {
  policy = <<-EOF
    {"Statement": [{"Effect": "Allow", "Action": ["s3:get*"], "Resource": "*",
      "Principal": {"AWS": ["*"], "Service": ["a", "b"]},
      "Condition": {"StringEquals": {"aws:SourceAccount": ["1"]}}}]}
  EOF
}
`,
  ],
  [
    'a policy document, which allows by default',
    `data "aws_iam_policy_document" "d" {
  statement {
    actions   = ["s3:Get*"]
    resources = ["*"]
    principals {
      type        = "AWS"
      identifiers = ["*"]
    }
    principals {
      type        = "Service"
      identifiers = ["a", "b"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = ["1"]
    }
  }
}
resource "p" "a" {
  policy = data.aws_iam_policy_document.d.json
}
`,
  ],
];

describe('a statement', () => {
  it.each(WRITTEN)('is the same when it is written as %s', async (_how, code) => {
    const statements = await statementsOf(code);
    expect(statements.map(({ node: _node, part: _part, ...rest }) => rest)).toEqual([
      {
        effect: 'allow',
        actions: ['s3:get*'],
        hasNotAction: false,
        resources: ['*'],
        principals: [
          { kind: 'AWS', id: '*' },
          { kind: 'Service', id: 'a' },
          { kind: 'Service', id: 'b' },
        ],
        hasNotPrincipal: false,
        conditions: [{ key: 'aws:sourceaccount', values: ['1'] }],
      },
    ]);
  });

  it.each(WRITTEN)('is found anywhere in a resource, written as %s', async (_how, code) => {
    expect(statementsBelow(await resourceIn(code))).toHaveLength(1);
  });

  it('knows the lines of its parts where they have lines of their own', async () => {
    const [statement] = await statementsOf(
      'resource "p" "a" {\n  policy = jsonencode({ Statement = [{\n    Effect = "Allow"\n    NotAction = "a:b"\n  }] })\n}\n',
    );
    expect(statement?.node.place).toEqual({ file: 'main.tf', line: 3, end_line: 4 });
    expect(statement?.part('NotAction')?.place).toMatchObject({ line: 4, end_line: 4 });
    expect(statement?.part('Action')).toBeUndefined();
    expect(statement?.hasNotAction).toBe(true);
  });

  it('may have a list of principals', async () => {
    const [statement] = await statementsOf(
      'resource "p" "a" {\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Principal = ["a", { AWS = "*" }] }] })\n}\n',
    );
    expect(statement?.principals).toEqual([
      { kind: '*', id: 'a' },
      { kind: 'AWS', id: '*' },
    ]);
  });

  it('may have an unknown condition, which has no key', async () => {
    const [statement] = await statementsOf(
      'variable "c" {}\nresource "p" "a" {\n  policy = jsonencode({ Statement = [{ Effect = "Deny", Condition = var.c }] })\n}\n',
    );
    expect(statement).toMatchObject({ effect: 'deny', conditions: [{ key: '', values: [] }] });
  });

  it('is not made of an unknown policy, or of what is no map', async () => {
    expect(await statementsOf('variable "p" {}\nresource "p" "a" {\n  policy = var.p\n}\n')).toEqual([]);
    expect(
      await statementsOf('resource "p" "a" {\n  policy = jsonencode({ Statement = ["*", [{}], 1] })\n}\n'),
    ).toEqual([]);
  });
});

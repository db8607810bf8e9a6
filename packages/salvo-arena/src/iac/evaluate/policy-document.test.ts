// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import type { BlockView } from './block-view.ts';
import { createScope } from './scope.ts';
import { knownPart } from './value.ts';

const scopeOf = async (files: Record<string, string>) => createScope(await parseCode(files));
const jsonOf = (view: BlockView | undefined, name: string): unknown => {
  const value = view?.get(name)?.value;
  return value ? JSON.parse(String(knownPart(value))) : null;
};

describe('policies', () => {
  const policy = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '${aws_s3_bucket.b.arn}/*' }] };
  it.each([
    [
      'jsonencode',
      'jsonencode({ Statement = [{ Effect = "Allow", Action = "*", Resource = "${aws_s3_bucket.b.arn}/*" }] })',
    ],
    [
      'a heredoc',
      '<<-EOF\n    {"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "${aws_s3_bucket.b.arn}/*"}]}\n  EOF',
    ],
    ['a local', 'local.policy'],
  ])('reads a policy that is written with %s, with unknown parts', async (_, code) => {
    const scope = await scopeOf({
      'main.tf': `resource "aws_s3_bucket" "b" {}\nlocals {\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "*", Resource = "\${aws_s3_bucket.b.arn}/*" }] })\n}\nresource "p" "a" {\n  policy = ${code}\n}\n`,
    });
    const [view] = scope.instances('p');
    expect(jsonOf(view, 'policy')).toEqual(policy);
    expect(jsonOf(view, 'missing')).toBeNull();
  });

  it('reads an aws_iam_policy_document, with the documents it is made of', async () => {
    const scope = await scopeOf({
      'main.tf': `
data "aws_iam_policy_document" "base" {
  statement {
    sid       = "Read"
    actions   = ["s3:GetObject"]
    resources = ["*"]
  }
}
data "aws_iam_policy_document" "all" {
  source_policy_documents = [data.aws_iam_policy_document.base.json]
  statement {
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.b.arn]
    principals {
      type        = "AWS"
      identifiers = ["*"]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}
resource "aws_s3_bucket" "b" {}
resource "p" "a" {
  policy = data.aws_iam_policy_document.all.json
}
`,
    });
    const [view] = scope.instances('p');
    expect(jsonOf(view, 'policy')).toEqual({
      Version: '2012-10-17',
      Statement: [
        { Sid: 'Read', Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['*'] },
        {
          Effect: 'Deny',
          Action: ['s3:*'],
          Resource: ['${aws_s3_bucket.b.arn}'],
          Principal: { AWS: ['*'] },
          Condition: { Bool: { 'aws:SecureTransport': ['false'] } },
        },
      ],
    });
  });
});

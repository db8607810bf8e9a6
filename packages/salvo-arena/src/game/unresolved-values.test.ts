import { describe, expect, it } from 'vitest';
import type { Finding } from '../match/claims/finding.ts';
import { unresolvedValues } from './unresolved-values.ts';

const CODE = {
  'main.tf': `
variable "environment" {
  default = "live"
}
variable "tokens" {
  default = "required"
}
resource "aws_instance" "web" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_optimized = true
  metadata_options {
    http_tokens = var.environment == "live" ? "required" : "optional"
  }
}
resource "aws_instance" "plain" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  metadata_options {
    http_tokens = var.tokens
  }
}
resource "aws_instance" "open" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  metadata_options {
    http_tokens = var.environment == "live" ? "optional" : "required"
  }
}
resource "aws_s3_bucket" "files" {
  bucket = "files"
}
resource "aws_s3_bucket_versioning" "files" {
  bucket = aws_s3_bucket.files.id
  versioning_configuration {
    status = var.environment == "live" ? "Enabled" : "Suspended"
  }
}
module "queue" {
  source    = "./queue"
  encrypted = true
}
`,
  'queue/main.tf': `
variable "encrypted" {
  type = bool
}
resource "aws_sqs_queue" "jobs" {
  name                    = "jobs"
  sqs_managed_sse_enabled = var.encrypted
}
`,
};

const found = (rule_id: string | null, resource: string, more: Finding = {}): Finding => ({
  rule_id,
  resource,
  source: 'checkov',
  ...more,
});
const HTTP_TOKENS = { resource: 'aws_instance.web', attribute: 'metadata_options.http_tokens' };

describe('a finding about a value that only evaluation finds', () => {
  it('says which attribute of which resource is unknown', async () => {
    expect(
      await unresolvedValues(CODE, [
        found('CKV_AWS_79', 'aws_instance.web'),
        found('CKV_AWS_21', 'aws_s3_bucket.files'),
        found('CKV_AWS_27', 'module.queue.aws_sqs_queue.jobs'),
      ]),
    ).toEqual([
      HTTP_TOKENS,
      { resource: 'aws_s3_bucket_versioning.files', attribute: 'versioning_configuration.status' },
      { resource: 'aws_sqs_queue.jobs', attribute: 'sqs_managed_sse_enabled' },
    ]);
  });

  it('is not one where the value is plain, where another attribute is meant, and where the code is flawed', async () => {
    expect(
      await unresolvedValues(CODE, [
        found('CKV_AWS_79', 'aws_instance.plain'),
        found('CKV_AWS_135', 'aws_instance.web'),
        found('CKV_AWS_79', 'aws_instance.open'),
        found('CKV_AWS_18', 'aws_s3_bucket.files'),
      ]),
    ).toEqual([null, null, null, null]);
  });

  it('stays a false alarm if it is not known which attribute it is about', async () => {
    expect(
      await unresolvedValues(CODE, [
        found(null, 'aws_instance.web', { title: 'The instance is not safe' }),
        found('MY_RULE_1', 'aws_instance.web'),
        found('CKV_AWS_79', 'aws_instance.unknown'),
        found('CKV_AWS_79', ''),
        {},
      ]),
    ).toEqual([null, null, null, null, null]);
  });

  it('may name the attribute instead of a known rule', async () => {
    expect(
      await unresolvedValues(CODE, [
        found('MY_RULE_1', 'aws_instance.web', { attribute: 'metadata_options.http_tokens' }),
        found('MY_RULE_1', 'aws_instance.web', { attribute: 'ebs_optimized' }),
        found('MY_RULE_1', 'aws_instance.web', { attribute: 'no such [path' }),
      ]),
    ).toEqual([HTTP_TOKENS, null, null]);
  });

  it('is found in templates, too', async () => {
    const code = {
      'stack.yaml': `
Parameters:
  Stage: { Type: String, Default: live }
Conditions:
  IsLive: !Equals [!Ref Stage, live]
Resources:
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      SqsManagedSseEnabled: !If [IsLive, true, false]
  Mails:
    Type: AWS::SQS::Queue
    Properties:
      SqsManagedSseEnabled: true
`,
    };
    expect(
      await unresolvedValues(code, [
        found('CKV_AWS_27', 'AWS::SQS::Queue.Jobs'),
        found('CKV_AWS_27', 'AWS::SQS::Queue.Mails'),
      ]),
    ).toEqual([{ resource: 'AWS::SQS::Queue.Jobs', attribute: 'SqsManagedSseEnabled' }, null]);
  });

  it('nothing is unresolved in code that cannot be read', async () => {
    expect(await unresolvedValues({ 'main.tf': 'resource "aws_instance" {{{' }, [found('CKV_AWS_79', 'a.b')])).toEqual([
      null,
    ]);
    expect(await unresolvedValues({}, [found('CKV_AWS_79', 'a.b')])).toEqual([null]);
  });
});

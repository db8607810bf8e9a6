import { expect, test } from 'vitest';
import { siteFinder } from './sites-in-code.ts';
import { readSourceCode } from './source-code.ts';

async function sitesOf(files: Record<string, string>, ...resources: string[]) {
  const find = siteFinder(await readSourceCode(files));
  return find(resources).map(({ kind, resource, file, line }) => `${kind} ${resource} ${file}:${line}`);
}

const TERRAFORM = {
  'main.tf': `module "queue" {
  source = "./modules/queue"
  keep   = local.keep
}
locals {
  keep  = var.days
  other = 1
}
variable "days" {}
data "aws_iam_policy_document" "read" {}
resource "aws_iam_role_policy" "api" {
  policy = data.aws_iam_policy_document.read.json
  name   = local.other
}`,
  'terraform.tfvars': 'days = 1\n',
  'modules/queue/main.tf': 'variable "keep" {}\nresource "aws_sqs_queue" "jobs" {\n  retention = var.keep\n}\n',
};

test('a flaw may be where its resource takes values from, through modules and files of values', async () => {
  expect(await sitesOf(TERRAFORM, 'aws_sqs_queue.jobs')).toEqual([
    'resource aws_sqs_queue.jobs modules/queue/main.tf:2',
    'related var.keep modules/queue/main.tf:1',
    'related module.queue main.tf:1',
    'related local.keep main.tf:6',
    'related var.days main.tf:9',
    'related var.days terraform.tfvars:1',
  ]);
  expect(await sitesOf(TERRAFORM, 'aws_iam_role_policy.api')).toEqual([
    'resource aws_iam_role_policy.api main.tf:11',
    'related data.aws_iam_policy_document.read main.tf:10',
    'related local.other main.tf:7',
  ]);
});

test('a flaw in a definition may be reported at the resources that use it', async () => {
  expect(await sitesOf(TERRAFORM, 'local.other')).toEqual([
    'resource local.other main.tf:7',
    'related aws_iam_role_policy.api main.tf:11',
  ]);
});

test('a flaw of settings, or of a policy, may be reported at what they are for', async () => {
  const code = `resource "aws_db_parameter_group" "tls" {}
resource "aws_db_instance" "orders" {
  parameter_group_name = aws_db_parameter_group.tls.name
}
resource "aws_sqs_queue" "jobs" {}
resource "aws_sqs_queue_policy" "open" {
  queue_url = aws_sqs_queue.jobs.id
}`;
  expect(await sitesOf({ 'main.tf': code }, 'aws_db_parameter_group.tls')).toEqual([
    'resource aws_db_parameter_group.tls main.tf:1',
    'related aws_db_instance.orders main.tf:2',
  ]);
  expect(await sitesOf({ 'main.tf': code }, 'aws_sqs_queue_policy.open')).toEqual([
    'resource aws_sqs_queue_policy.open main.tf:6',
    'related aws_sqs_queue.jobs main.tf:5',
  ]);
});

test('in a template, names are enough', async () => {
  const template = `Parameters:
  Key: {Type: String}
Mappings:
  Sizes: {prod: {days: 1}}
Resources:
  Signer:
    Type: AWS::Lambda::Function
    Properties:
      Environment: {Variables: {KEY: !Ref Key}}
      Timeout: !FindInMap [Sizes, prod, days]
  Other:
    Type: AWS::SQS::Queue
`;
  expect(await sitesOf({ 't.yaml': template }, 'Signer')).toEqual([
    'resource AWS::Lambda::Function.Signer t.yaml:6',
    'related Parameters.Key t.yaml:2',
    'related Mappings.Sizes t.yaml:4',
  ]);
});

test('there are no sites of what is not in the code', async () => {
  expect(await sitesOf(TERRAFORM, 'aws_sqs_queue.other')).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { nameFinder } from './names-in-code.ts';
import { readSourceCode } from './source-code.ts';

const FILES = {
  'main.tf': `
locals { prefix = "acme" }
resource "aws_s3_bucket" "exchange" {
  bucket = "\${local.prefix}-partner-drop"
}
resource "aws_s3_bucket_policy" "exchange" {
  bucket = aws_s3_bucket.exchange.id
}
resource "aws_s3_bucket_public_access_block" "exchange" {
  bucket = aws_s3_bucket.exchange.id
}
resource "aws_s3_bucket" "raw" {}
resource "aws_redshift_cluster" "warehouse" {
  cluster_identifier = "bi"
}
resource "aws_redshift_parameter_group" "warehouse" {
  name = "bi"
}
resource "aws_ecr_repository" "this" {
  for_each = toset(["base", "ledger"])
  name     = "acme/\${each.key}"
}
`,
  'template.yaml': `
Resources:
  Trail:
    Type: AWS::CloudTrail::Trail
    Properties:
      TrailName: org-archive
  CommandFunction:
    Type: AWS::Lambda::Function
  QueryCache:
    Type: AWS::ElastiCache::ReplicationGroup
  QueryCacheSubnets:
    Type: AWS::ElastiCache::SubnetGroup
  CommandRoute:
    Type: AWS::ApiGatewayV2::Route
  Constructor:
    Type: Constructor::ToString::HasOwnProperty
`,
};

const find = nameFinder(await readSourceCode(FILES));

describe('the address of what a claim calls by another name', () => {
  it.each([
    ['its name in the cloud', 'acme-partner-drop', 'aws_s3_bucket.exchange'],
    ['in another case', 'Org-Archive', 'AWS::CloudTrail::Trail.Trail'],
    ['with its type', 'AWS::CloudTrail::Trail.org-archive', 'AWS::CloudTrail::Trail.Trail'],
    ['a name that only one of its type has', 'aws_redshift_cluster.bi', 'aws_redshift_cluster.warehouse'],
    ['the key of an instance', 'aws_ecr_repository.base', 'aws_ecr_repository.this'],
    ['a bare name', 'Trail', 'AWS::CloudTrail::Trail.Trail'],
    ['a policy by the name of its bucket', 'aws_s3_bucket_policy.acme-partner-drop', 'aws_s3_bucket_policy.exchange'],
    ['a description', 'the exchange bucket', 'aws_s3_bucket.exchange'],
    ['what runs there', 'the query cache (Redis)', 'AWS::ElastiCache::ReplicationGroup.QueryCache'],
    ['a possessive', "the exchange bucket's policy", 'aws_s3_bucket_policy.exchange'],
    ['a name with more words', 'CommandRoute of the API', 'AWS::ApiGatewayV2::Route.CommandRoute'],
    ['a longer description', 'exchange public access block', 'aws_s3_bucket_public_access_block.exchange'],
    ['words for its type', 'the command Lambda', 'AWS::Lambda::Function.CommandFunction'],
  ])('is found by %s', (_, name, address) => {
    expect(find(name)).toBe(address);
  });

  it('takes the type beside the name into account', () => {
    expect(find('Redshift warehouse')).toBe('aws_redshift_cluster.warehouse');
    expect(find('Redshift warehouse', 'parameter group')).toBe('aws_redshift_parameter_group.warehouse');
  });

  it.each([
    ['an address of the code', 'aws_s3_bucket.raw'],
    ['a name of two resources', 'bi'],
    ['a bare name of three resources', 'exchange'],
    ['a description of two resources', 'raw and exchange buckets'],
    ['a description with a word of its own', 'the staging exchange bucket'],
    ['a type without a name', 'an S3 bucket'],
    ['a name that is nowhere', 'billing'],
    ['nothing', ''],
    ['a text that is no name', `the ${'very '.repeat(100)}exchange bucket`],
    ['a name of a method', '__proto__'],
  ])('is not guessed: %s', (_, name) => {
    expect(find(name)).toBeNull();
  });
});

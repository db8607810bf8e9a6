import { describe, expect, it } from 'vitest';
import { readBlockPath, readBlockSteps, resourceInText } from './block-path.ts';

describe('readBlockPath', () => {
  it.each([
    ['aws_s3_bucket[data].acl', 'aws_s3_bucket.data', 'acl'],
    ['aws_s3_bucket[{{data}}]', 'aws_s3_bucket.data', ''],
    ['aws_security_group[web].ingress[0].cidr_blocks', 'aws_security_group.web', 'ingress.cidr_blocks'],
    ['aws_security_group[{{web.1}}].ingress.{{cidr.blocks}}', 'aws_security_group.web.1', 'ingress.cidr.blocks'],
    ['resource.aws_s3_bucket[data].acl', 'aws_s3_bucket.data', 'acl'],
    ['data.aws_iam_policy_document[x].statement.actions', 'data.aws_iam_policy_document.x', 'statement.actions'],
    ['module[vpc].cidr', 'module.vpc', 'cidr'],
    ['Resources.Bucket.Properties.Acl', 'Bucket', 'Acl'],
    ['Resources.{{My.Bucket}}', 'My.Bucket', ''],
    ['/Resources/Bucket/Properties/Rules/0/Status', 'Bucket', 'Rules.Status'],
    ['/Resources/Bucket/DeletionPolicy', 'Bucket', 'DeletionPolicy'],
  ])('reads %s', (path, resource, attribute) => {
    expect(readBlockPath(path)).toMatchObject({ resource, attribute });
  });

  it.each([
    '',
    'resource',
    'FROM={{alpine}}.RUN',
    'metadata.name={{kiosk}}.spec',
    'azurerm_policy',
    'main.go[3].x',
    'Resources',
    '[][]',
    'a'.repeat(5000),
  ])('does not read %.30s as a block', (path) => {
    expect(readBlockPath(path)).toBeNull();
  });

  it('skips the prefix that Snyk writes', () => {
    expect(readBlockSteps(['[DocId: 0]', 'input', 'resource', 'aws_s3_bucket[x]', 'acl'])?.resource).toBe(
      'aws_s3_bucket.x',
    );
    expect(readBlockSteps(['[DocId:0]', 'Resources[Queue]', 'Properties', 'Key'])).toMatchObject({
      resource: 'Queue',
      attribute: 'Key',
    });
    expect(readBlockSteps([])).toBeNull();
  });
});

describe('resourceInText', () => {
  it.each([
    ["Resource 'aws_s3_bucket.data' has no logging.", 'aws_s3_bucket.data'],
    ['Resource "aws_s3_bucket.data[0]" has no logging.', 'aws_s3_bucket.data[0]'],
    ["Block 'github_provider.main' holds a secret.", 'github_provider.main'],
    ["Resource 'module.net:aws_network_acl_rule.in[0]' is open.", 'module.net.aws_network_acl_rule.in[0]'],
    [
      `Resource 'module.a:module.pool["blue"]:aws_launch_configuration.this' is open.`,
      'module.a.module.pool["blue"].aws_launch_configuration.this',
    ],
    ['The key is old.\nResource: aws_kms_key.main', 'aws_kms_key.main'],
  ])('%j is about %j', (text, resource) => {
    expect(resourceInText(text)).toBe(resource);
  });

  it.each(["resource 'type' is missing", 'a resource of the account', "Resource 'a b.c' is odd", ''])(
    '%j names no resource',
    (text) => {
      expect(resourceInText(text)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { readBlockPath, readBlockSteps } from './block-path.ts';

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
  ])('takes %.30s for no block', (path) => {
    expect(readBlockPath(path)).toBeNull();
  });

  it('skips what Snyk writes in front', () => {
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

import { describe, expect, test } from 'vitest';
import { readClaim } from '../claims/read-claim.ts';
import { loadLexicon } from './lexicon.ts';
import { profileOf, splitAsides, textsOfRules } from './profile.ts';

const lexicon = loadLexicon();

function profile(record: Record<string, unknown>) {
  const { aspects, objects, firmObjects, qualifiers } = profileOf(lexicon, readClaim(record));
  const ids = (concepts: readonly number[]) => concepts.map((concept) => lexicon.concepts[concept]?.id ?? '');
  return { aspects: ids(aspects), objects: ids(objects), firm: firmObjects, details: ids(qualifiers) };
}

test('the more precise flaw replaces the wider one', () => {
  expect(profile({ title: 'Encryption: no customer managed key for encryption at rest' }).aspects).toEqual([
    'customer_key',
  ]);
});

test('a type that is a heading is replaced by the title, or else by the description', () => {
  expect(profile({ type: 'logging', title: 'Bucket is not versioned' }).aspects).toEqual(['versioning']);
  expect(
    profile({ type: 'access_control', description: 'The bucket policy has a wildcard principal' }).aspects,
  ).toEqual(['public_policy']);
  expect(profile({ type: 'encryption' }).aspects).toEqual(['encryption']);
});

test('the type of the resource gives the object', () => {
  expect(profile({ title: 'Not encrypted', resource: 'aws_db_instance.main' }).objects).toEqual(['rds']);
});

test('a part of an object replaces the object', () => {
  expect(profile({ title: 'SageMaker: the SageMaker notebook is not encrypted' }).objects).toEqual([
    'sagemaker_notebook',
  ]);
  expect(profile({ title: 'Plain HTTP at the load balancer', resource: 'aws_lb_listener.web' }).objects).toEqual([
    'lb_listener',
  ]);
  expect(profile({ title: 'RDS instance without performance insights' }).aspects).toEqual(['performance_insights']);
});

test('a key is only a means of encryption, and otherwise the object itself', () => {
  expect(profile({ title: 'SQS queue is not encrypted with a KMS key' }).objects).toEqual(['sqs']);
  expect(profile({ title: 'Resource is not encrypted with a KMS key' })).toMatchObject({
    objects: ['kms'],
    firm: false,
  });
  expect(profile({ title: 'KMS key is not rotated' })).toMatchObject({ objects: ['kms'], firm: true });
});

test('a flaw can imply the object, and an object the flaw', () => {
  expect(profile({ title: 'Unrestricted ingress' }).objects).toEqual(['security_group']);
  expect(profile({ title: 'CloudTrail is off' }).aspects).toEqual(['logging']);
  expect(profile({ title: 'Port 3389' })).toMatchObject({ aspects: ['open_ingress'], details: ['rdp'] });
});

test('encryption of a load balancer is encryption in transit', () => {
  expect(profile({ title: 'Load balancer without encryption' }).aspects).toEqual(['encryption_in_transit']);
  expect(profile({ title: 'Security group allows all' }).aspects).toEqual(['open_ingress']);
  expect(profile({ title: 'Elasticsearch domain is not inside a VPC' }).aspects).toEqual(['public_endpoint']);
  expect(profile({ title: 'Volume without encryption', resource: 'aws_ebs_volume.a' }).aspects).toEqual(['encryption']);
});

test('a rule counts when the title says nothing', () => {
  expect(profile({ title: 'Check failed', rule_id: 'aws-s3-enable-bucket-encryption' })).toMatchObject({
    aspects: ['encryption_at_rest'],
    objects: ['s3'],
  });
  expect(profile({ title: 'Check failed', rule_id: 'CKV_AWS_19' })).toMatchObject({ objects: ['s3'] });
});

test('an empty claim is about nothing', () => {
  expect(profile({})).toEqual({ aspects: [], objects: [], firm: false, details: [] });
});

describe('textsOfRules', () => {
  test('a rule of the catalogue is read as the titles of its weaknesses', () => {
    expect(textsOfRules(['CKV_AWS_19']).join(' ')).toMatch(/encryption/i);
  });

  test('an id that is a sentence is read as it is', () => {
    expect(textsOfRules(['gcp-acme-enable-frobnicator-logging'])).toEqual(['gcp-acme-enable-frobnicator-logging']);
  });

  test('other ids say nothing', () => {
    expect(textsOfRules(['CKV_ACME_1', 'CWE-311', '', '0'.repeat(100_000)])).toEqual([]);
  });
});

describe('splitAsides', () => {
  test('a long remark in parentheses is not part of the title', () => {
    const reasons = 'fewer places to look at make it less likely that someone keeps excessive rights';
    expect(splitAsides(`Attach policies to groups (${reasons})`)).toEqual({
      title: 'Attach policies to groups  ',
      asides: reasons,
    });
  });

  test('a short remark in parentheses is part of the title', () => {
    const title = 'The volume uses no customer managed key (CMK)';
    expect(splitAsides(title)).toEqual({ title, asides: '' });
  });

  test('a title that consists of a remark is unchanged', () => {
    const title = '(the bucket that keeps the logs of the trail is not encrypted)';
    expect(splitAsides(title)).toEqual({ title, asides: '' });
  });

  test('unclosed parentheses take no longer than others', () => {
    const title = '(a '.repeat(100_000);
    expect(splitAsides(title)).toEqual({ title, asides: '' });
  });
});

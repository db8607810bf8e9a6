import { expect, test } from 'vitest';
import { readClaim } from '../claims/read-claim.ts';
import { loadLexicon } from './lexicon.ts';
import { profileOf } from './profile.ts';

const lexicon = loadLexicon();

function profile(record: Record<string, unknown>) {
  const { aspects, objects, firmObjects, qualifiers } = profileOf(lexicon, readClaim(record));
  const ids = (concepts: readonly number[]) => concepts.map((concept) => lexicon.concepts[concept]?.id ?? '');
  return { aspects: ids(aspects), objects: ids(objects), firm: firmObjects, details: ids(qualifiers) };
}

test('the more precise flaw stands for the wider one', () => {
  expect(profile({ title: 'Encryption: no customer managed key for encryption at rest' }).aspects).toEqual([
    'customer_key',
  ]);
});

test('a type that is a heading gives way to the title, and to the description without one', () => {
  expect(profile({ type: 'logging', title: 'Bucket is not versioned' }).aspects).toEqual(['versioning']);
  expect(
    profile({ type: 'access_control', description: 'The bucket policy has a wildcard principal' }).aspects,
  ).toEqual(['public_policy']);
  expect(profile({ type: 'encryption' }).aspects).toEqual(['encryption']);
});

test('the type of the resource tells the thing', () => {
  expect(profile({ title: 'Not encrypted', resource: 'aws_db_instance.main' }).objects).toEqual(['rds']);
});

test('a part of a thing stands for the thing', () => {
  expect(profile({ title: 'SageMaker: the SageMaker notebook is not encrypted' }).objects).toEqual([
    'sagemaker_notebook',
  ]);
  expect(profile({ title: 'Plain HTTP at the load balancer', resource: 'aws_lb_listener.web' }).objects).toEqual([
    'lb_listener',
  ]);
  expect(profile({ title: 'RDS instance without performance insights' }).aspects).toEqual(['performance_insights']);
});

test('a key is a mere means of encryption, and the thing itself otherwise', () => {
  expect(profile({ title: 'SQS queue is not encrypted with a KMS key' }).objects).toEqual(['sqs']);
  expect(profile({ title: 'Resource is not encrypted with a KMS key' })).toMatchObject({
    objects: ['kms'],
    firm: false,
  });
  expect(profile({ title: 'KMS key is not rotated' })).toMatchObject({ objects: ['kms'], firm: true });
});

test('a flaw can imply the thing, and a thing the flaw', () => {
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

test('a rule speaks when the title does not', () => {
  expect(profile({ title: 'Check failed', rule_id: 'aws-s3-enable-bucket-encryption' })).toMatchObject({
    aspects: ['encryption_at_rest'],
    objects: ['s3'],
  });
  expect(profile({ title: 'Check failed', rule_id: 'CKV_AWS_19' })).toMatchObject({ objects: ['s3'] });
});

test('an empty claim is about nothing', () => {
  expect(profile({})).toEqual({ aspects: [], objects: [], firm: false, details: [] });
});

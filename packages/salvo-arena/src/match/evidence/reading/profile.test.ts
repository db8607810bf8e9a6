import { describe, expect, test } from 'vitest';
import { stem } from '../../../../../salvo/src/text/words/words.ts';
import { readClaim } from '../../claims/read-claim.ts';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { profileOf } from './profile.ts';

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

test('a type that says precisely what is wrong stays beside the description', () => {
  const description = 'The user pool accepts passwords of six characters.';
  expect(profile({ type: 'weak-password-policy', description }).aspects).toEqual(['password_policy']);
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

describe('the rules of a claim', () => {
  test('count by the words of an id that is a sentence', () => {
    const { said } = profileOf(
      lexicon,
      readClaim({ title: 'Check failed', rule_id: 'gcp-acme-enable-frobnicator-logs' }),
    );
    expect(said.has(stem('frobnicator'))).toBe(true);
  });

  test('say nothing when they are unknown', () => {
    const rule_ids = ['CKV_ACME_1', 'CWE-311', '0'.repeat(100_000)];
    expect(profileOf(lexicon, readClaim({ title: 'Check failed', rule_ids }))).toEqual(
      profileOf(lexicon, readClaim({ title: 'Check failed' })),
    );
  });
});

describe('a remark in parentheses', () => {
  const headline = (title: string) => profileOf(lexicon, readClaim({ title })).words;

  test('is not part of the headline when it is long', () => {
    const reasons = 'fewer places to look at make it less likely that someone keeps excessive rights';
    const title = `The frobbed bucket is not versioned (${reasons})`;
    expect(headline(title)).toEqual(headline('The frobbed bucket is not versioned'));
    expect(profileOf(lexicon, readClaim({ title })).said.has(stem('excessive'))).toBe(true);
  });

  test('is part of the headline when it is short', () => {
    expect(headline('The volume is frobbed (frobnicator)')).toContain(stem('frobnicator'));
  });

  test('is the headline when there is nothing else', () => {
    const remark = 'the frobnicator that keeps the logs of the trail is not encrypted';
    expect(headline(`(${remark})`)).toEqual(headline(remark));
  });

  test('may be unclosed', () => {
    expect(headline('(frobnicator '.repeat(100))).toEqual([stem('frobnicator')]);
  });
});

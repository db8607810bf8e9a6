import { expect, test } from 'vitest';
import { readClaim } from '../../claims/read-claim.ts';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { comparePlaces, placeOf } from './place.ts';

const lexicon = loadLexicon();

function relation(a: Record<string, unknown>, b: Record<string, unknown>): string {
  const forth = comparePlaces(lexicon, placeOf(lexicon, readClaim(a)), placeOf(lexicon, readClaim(b)));
  const back = comparePlaces(lexicon, placeOf(lexicon, readClaim(b)), placeOf(lexicon, readClaim(a)));
  expect(back).toBe(forth);
  return forth;
}

function ofResources(a: string | string[], b: string | string[]): string {
  return relation({ resource: a }, { resource: b });
}

test('one resource is the same however it is addressed', () => {
  expect(ofResources('aws_s3_bucket.data', 'module.x.aws_s3_bucket.data[0]')).toBe('same');
  expect(ofResources(['aws_s3_bucket.a', 'aws_s3_bucket.b'], 'aws_s3_bucket.b')).toBe('same');
});

test('a resource and what configures it under the same name are parts of one thing', () => {
  expect(ofResources('aws_s3_bucket.data', 'aws_s3_bucket_public_access_block.data')).toBe('part');
  expect(ofResources('aws_iam_role.app', 'aws_iam_role_policy.app')).toBe('part');
});

test('resources of one service under different names may belong together', () => {
  expect(ofResources('aws_s3_bucket.data', 'aws_s3_bucket_acl.data_acl')).toBe('near');
  expect(ofResources('aws_security_group.web', 'aws_security_group_rule.ssh')).toBe('near');
});

test('two resources of one type are different places, and so are unrelated resources', () => {
  expect(ofResources('aws_s3_bucket.a', 'aws_s3_bucket.b')).toBe('other');
  expect(ofResources('aws_s3_bucket.a', 'aws_kms_key.a')).toBe('other');
});

test('a loose name of the same type may be the same resource', () => {
  expect(ofResources('aws_security_group.web', 'aws_security_group.web_security_group')).toBe('near');
  expect(ofResources('module.a.aws_s3_bucket.data', 'module.b.aws_s3_bucket.data')).toBe('other');
});

test('a bare name may resemble the one in the code', () => {
  expect(ofResources('aws_s3_bucket.data', 'data')).toBe('same');
  expect(ofResources('aws_s3_bucket.data', 'acme-data-bucket')).toBe('near');
  expect(ofResources('aws_s3_bucket.data', 'reports')).toBe('other');
});

test('a text that is no address cannot be compared', () => {
  expect(ofResources('aws_s3_bucket.data', 'the bucket of the reports')).toBe('unknown');
  expect(ofResources('aws_s3_bucket.data', 'arn:aws:s3:::reports')).toBe('unknown');
  expect(ofResources('aws_db_instance.main', 'var.db_password')).toBe('unknown');
  expect(relation({}, { resource: 'aws_s3_bucket.data' })).toBe('unknown');
});

test('overlapping lines are one place, with a tolerance for tools that report the line before', () => {
  expect(relation({ file: 'main.tf', line: 10, end_line: 20 }, { file: './main.tf', line: 15 })).toBe('lines');
  expect(relation({ file: 'main.tf', line: 10, end_line: 20 }, { file: 'infra/main.tf', line: 8 })).toBe('lines');
  expect(relation({ file: 'main.tf', line: 10, end_line: 20 }, { file: 'main.tf', line: 40 })).toBe('unknown');
});

test('another file is another place, unless the resource is the same', () => {
  expect(relation({ file: 'main.tf' }, { file: 'network.tf' })).toBe('other');
  expect(
    relation({ file: 'main.tf', resource: 'aws_s3_bucket.a' }, { file: 'all.tf', resource: 'aws_s3_bucket.a' }),
  ).toBe('same');
});

test('overlapping lines do not make two resources of one type the same', () => {
  expect(
    relation(
      { file: 'main.tf', line: 1, end_line: 9, resource: 'aws_s3_bucket.a' },
      { file: 'main.tf', line: 9, resource: 'aws_s3_bucket.b' },
    ),
  ).toBe('other');
});

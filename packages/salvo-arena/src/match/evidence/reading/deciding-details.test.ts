import { describe, expect, test } from 'vitest';
import { readClaim } from '../../claims/read-claim.ts';
import { createEvidenceMatcher } from '../evidence-matcher.ts';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { daysRequired } from './days-required.ts';
import { compareDeciding, decidingDetails, decidingDifference } from './deciding-details.ts';

const lexicon = loadLexicon();
const compare = (a: string, b: string) =>
  compareDeciding(lexicon, decidingDetails(lexicon, a), decidingDetails(lexicon, b));

test.each([
  ['Trails record S3 data events for reads', 'Object-level write events of S3 are not recorded', 'differ'],
  ['Regional WAF rule has no condition', 'Global WAF rule has no condition', 'differ'],
  ['Regional rule group is empty', 'Regional web ACL is empty', 'differ_unless_one_place'],
  ['RDS clusters should have deletion protection', 'DB instance can be deleted', 'differ_unless_one_place'],
  ['Launch template allows IMDSv1', 'EC2 instances should use IMDSv2', 'differ_unless_one_place'],
  ['Default master username', 'Default database name', 'differ'],
  ['Credentials unused for 45 days', 'Credentials unused for 90 days', 'differ_unless_one_place'],
  ['Topic is public', 'Topic allows cross-account access', 'differ'],
  ['hostPID is true', 'hostIPC is true', 'differ'],
  ['livenessProbe is missing', 'No readiness probe', 'differ'],
  ['Key Vault keys have no expiration date', 'Expiration date is missing on secrets', 'differ'],
  ['Automatic node upgrade is off', 'Automatic repair is off', 'differ'],
] as const)('"%s" and "%s": %s', (a, b, relation) => {
  expect(compare(a, b)).toBe(relation);
  expect(compare(b, a)).toBe(relation);
  expect(compare(a, a)).toBe('agree');
  expect(decidingDifference(lexicon, decidingDetails(lexicon, a), decidingDetails(lexicon, b))).toMatch(/, not /);
});

test.each([
  ['Deletion protection is off', 'RDS clusters should have deletion protection'],
  ['Redshift instances are not encrypted', 'Ensure that the Redshift cluster is encrypted'],
  ['Web ACL is empty', 'Web ACLs should have at least one rule or rule group'],
  ['Root filesystem is not read-only', 'Containers can write to their root filesystem'],
  ['hostPID and hostIPC are true', 'Pod shares the process namespace of its host'],
  ['Logs are kept for 7 days', 'Retention should be at least 365 days'],
  ['Keys are rotated every 90 days', 'Key rotation takes more than three months'],
  ['', ''],
])('silence, other words and values of the code are compatible: "%s" and "%s"', (a, b) => {
  expect(compare(a, b)).toBe('agree');
});

test.each([
  ['rotated within 90 days', [90]],
  ['expire within 90 days or less', [90]],
  ['unused for 45 days', [45]],
  ['replaced once a year', [365]],
  ['older than three months', [90]],
  ['retention of 1 year or more', [365]],
  ['kept for 7 days', []],
  ['within many days', []],
  ['every other day', []],
  [`${'every '.repeat(50_000)}9 days`, [9]],
])('the periods that a title requires: %.40s', (title, days) => {
  expect(daysRequired(title)).toEqual(days);
});

describe('at one resource', () => {
  const score = (a: object, b: object) =>
    createEvidenceMatcher([readClaim({ ...a })], [readClaim({ ...b })]).score(0, 0);

  test('the code says whether a cluster or an instance is meant, but not what is read or written', () => {
    const resource = 'aws_rds_cluster.a';
    const [cluster, instance] = [
      { title: 'RDS clusters should have deletion protection enabled' },
      { title: 'RDS DB instances should have deletion protection enabled' },
    ];
    expect(score(cluster, instance)).toBeLessThan(0.55);
    expect(score({ ...cluster, resource }, { ...instance, resource })).toBeGreaterThanOrEqual(0.55);
    const trail = { resource: 'aws_cloudtrail.a' };
    const events = (kind: string) => ({ ...trail, title: `CloudTrail does not record S3 data events for ${kind}` });
    expect(score(events('reads'), events('writes'))).toBeLessThan(0.55);
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tried } from '../../../../../test/thorough.ts';
import { THRESHOLD_TOLERANCE } from '../../../../salvo/src/stats/mean.ts';
import type { Claim } from '../claims/claim.ts';
import { readClaim } from '../claims/read-claim.ts';
import { EVIDENCE_THRESHOLD } from '../judge-agent-options.ts';
import { createEvidenceMatcher } from './evidence-matcher.ts';

const DATA = new URL('../../../../../bench/data/matcher/', import.meta.url);
const record = z.record(z.string(), z.unknown());
const labelled = z.array(z.strictObject({ vulnerability: record, finding: record, same: z.boolean() }));
/** One file has the words of rules and manifests, the other has pairs of each service in the words of models. */
const labelledPairs = ['labelled-pairs', 'service-pairs'].flatMap((name) =>
  labelled.parse(JSON.parse(readFileSync(new URL(`${name}.json`, DATA), 'utf8'))),
);
/** A flaw given as a slug, and everything that one scanner reports on the folder: does any of it report the flaw? */
const games = z
  .array(z.strictObject({ vulnerability: record, findings: z.array(record), caught: z.boolean() }))
  .parse(JSON.parse(readFileSync(new URL('scanner-games.json', DATA), 'utf8')));

function scoreOf(vulnerability: Record<string, unknown>, finding: Record<string, unknown>): number {
  return createEvidenceMatcher([readClaim(vulnerability)], [readClaim(finding)]).score(0, 0);
}

function isMatch(score: number): boolean {
  return score >= EVIDENCE_THRESHOLD;
}

describe('people and the matcher', () => {
  test('agree on the labelled pairs, except where one side leaves out what distinguishes the flaw', () => {
    const disagreements = labelledPairs.filter(
      ({ vulnerability, finding, same }) => isMatch(scoreOf(vulnerability, finding)) !== same,
    );
    expect(disagreements.filter(({ same }) => !same)).toEqual([]);
    expect(disagreements.map(({ vulnerability, finding }) => [vulnerability.type, finding.title])).toEqual([
      ['Unencrypted data store', 'Database storage is unencrypted'],
    ]);
  });

  test.each([
    ['S3 bucket keeps no former versions of its objects', 'Versioning of the S3 bucket is not on'],
    ['RDS does not accept IAM identities', 'Aurora cluster without IAM database authentication'],
    ["RDS listens on its engine's default port", 'The RDS cluster keeps the default endpoint port'],
    ['Policy is attached to a user instead of a group or role', 'An IAM policy is given at the user level'],
  ])('agree that "%s" is "%s"', (type, title) => {
    expect(isMatch(scoreOf({ type }, { title }))).toBe(true);
  });

  test('distinguish a missing customer key from missing encryption, unless the key is the only switch', () => {
    const takenForTheSame = (thing: string): boolean =>
      isMatch(scoreOf({ type: `${thing}_without_customer_managed_key` }, { title: `${thing} is not encrypted` }));
    for (const thing of ['ebs', 'rds', 'redshift', 'efs', 'neptune']) expect(takenForTheSame(thing)).toBe(false);
    for (const thing of ['sns_topic', 'sqs_queue', 'cloudwatch_log_group', 'kinesis_stream'])
      expect(takenForTheSame(thing)).toBe(true);
  });

  test("agree on whether a scanner's report contains the flaw, except for a very short name", () => {
    const disagreements = games.filter(
      ({ vulnerability, findings, caught }) =>
        findings.some((finding) => isMatch(scoreOf(vulnerability, finding))) !== caught,
    );
    expect(disagreements.map(({ vulnerability }) => vulnerability.type)).toEqual(['iam_user_not_in_group']);
    expect(games.filter(({ caught }) => !caught)).toHaveLength(135);
  });

  test('no label is lost', () => {
    // Change the numbers when a label is added.
    expect(labelledPairs.filter(({ same }) => same)).toHaveLength(385);
    expect(labelledPairs.filter(({ same }) => !same)).toHaveLength(261);
  });

  test('a type and a resource on both sides are enough', () => {
    const encryption = { type: 'encryption', resource: 'aws_s3_bucket.data' };
    expect(scoreOf(encryption, { ...encryption, severity: 'HIGH' })).toBeGreaterThanOrEqual(0.7);
    expect(scoreOf({ type: 'access_control', resource: 'aws_s3_bucket.data' }, encryption)).toBeLessThan(0.4);
    expect(scoreOf(encryption, { type: 'network', resource: 'aws_security_group.web' })).toBeLessThan(0.4);
  });

  test('a single word tells the settings of one service apart', () => {
    const flag = (name: string) => ({ title: `Ensure PostgreSQL database '${name}' flag is set to 'on'` });
    const off = { title: "Cloud SQL PostgreSQL database 'log_lock_waits' flag is off" };
    expect(isMatch(scoreOf(off, flag('log_lock_waits')))).toBe(true);
    expect(isMatch(scoreOf(off, flag('log_checkpoints')))).toBe(false);
    const open = (port: number) => ({ title: `Ensure no NACL allows ingress from 0.0.0.0:0 to port ${port}` });
    expect(isMatch(scoreOf({ title: 'NACL allows ingress from 0.0.0.0/0 to port 20' }, open(20)))).toBe(true);
    expect(isMatch(scoreOf({ title: 'NACL allows ingress from 0.0.0.0/0 to port 20' }, open(21)))).toBe(false);
  });

  test.each([
    ['Vertex AI endpoint', 'Vertex AI featurestore'],
    ['SageMaker domain', 'SageMaker feature group'],
    ['Neptune cluster', 'Neptune snapshot'],
    ['BigQuery dataset', 'BigQuery table'],
  ])('a flaw of one part of a service is not that of another: %s, %s', (part, other) => {
    const vulnerability = { type: `${part} is not encrypted with a customer managed key` };
    const finding = (of: string) => ({ title: `Ensure ${of} uses a customer managed key (CMK)` });
    expect(isMatch(scoreOf(vulnerability, finding(part)))).toBe(true);
    expect(isMatch(scoreOf(vulnerability, finding(other)))).toBe(false);
  });

  test('rules of one weakness match without a common word', () => {
    expect(scoreOf({ rule_ids: ['AVD-AWS-0088'] }, { rule_id: 'CKV_AWS_19' })).toBeGreaterThanOrEqual(0.7);
  });

  test('a long description of the thing does not make two flaws one', () => {
    const resource = 'aws_frobnicator.data';
    const of = (flaw: string) => ({ title: `Frobnicator of the billing team in eu-west-1 has no ${flaw}`, resource });
    expect(isMatch(scoreOf(of('encryption'), of('deletion protection')))).toBe(false);
    expect(isMatch(scoreOf(of('encryption'), of('encryption at rest')))).toBe(true);
  });

  test('nearly the same wording is a match, also of words that nobody knows', () => {
    const title = 'Frobnicators of the quux pool keep zanders beyond their glimmer';
    expect(isMatch(scoreOf({ title }, { title: `Ensure ${title}` }))).toBe(true);
  });

  test('a misspelt service is that service', () => {
    const finding = { title: 'DynamoDB tables should have point-in-time recovery' };
    expect(isMatch(scoreOf({ type: 'dynamdb_without_point_in_time_recovery' }, finding))).toBe(true);
  });

  test('access control and least privilege of one resource are akin', () => {
    const resource = 'aws_iam_policy.deploy';
    const vulnerability = { type: 'access_control', description: 'Permissions of the deploy policy', resource };
    const finding = { type: 'least_privilege', title: 'Deploy policy violates least privilege', resource };
    expect(isMatch(scoreOf(vulnerability, finding))).toBe(true);
  });

  test('a little less is enough if no other flaw of the service is planted', () => {
    const [flaw, finding] = [
      readClaim({ title: 'HTTP logs are on for the web app' }),
      readClaim({ title: 'App Service apps should have resource logs enabled' }),
    ];
    const other = readClaim({ title: 'App Service has no managed identity' });
    const elsewhere = readClaim({ title: 'SQS queue is not encrypted' });
    const alone = createEvidenceMatcher([flaw, elsewhere], [finding]);
    expect(alone.score(0, 0)).toBe(EVIDENCE_THRESHOLD);
    expect(alone.explain(0, 0).find(({ name }) => name === 'enough')?.reason).toMatch(/no other flaw of this service/);
    expect(isMatch(createEvidenceMatcher([flaw, other], [finding]).score(0, 0))).toBe(false);
  });

  test("with keys: 'same', a missing key of one's own is missing encryption of the same thing", () => {
    const score = (thing: string, other: string, keys?: 'same') =>
      createEvidenceMatcher(
        [readClaim({ title: `${thing} is not encrypted at rest` })],
        [readClaim({ title: `${other} does not use a customer managed key` })],
        { keys },
      ).score(0, 0);
    for (const thing of ['EBS volume', 'RDS instance', 'Redshift cluster', 'EFS file system']) {
      expect(isMatch(score(thing, thing))).toBe(false);
      expect(isMatch(score(thing, thing, 'same'))).toBe(true);
    }
    expect(isMatch(score('EBS volume', 'SQS queue', 'same'))).toBe(false);
  });

  test('empty claims match nothing', () => {
    expect(scoreOf({}, {})).toBe(0);
    expect(scoreOf({ resource: 'aws_s3_bucket.a' }, { resource: 'aws_s3_bucket.a' })).toBeLessThan(0.4);
  });
});

describe('the explanation', () => {
  function reasons(vulnerability: Record<string, unknown>, finding: Record<string, unknown>): string {
    const matcher = createEvidenceMatcher([readClaim(vulnerability)], [readClaim(finding)]);
    return matcher
      .explain(0, 0)
      .map(({ name, reason }) => `${name}: ${reason}`)
      .join('\n');
  }

  test('says what agrees', () => {
    const text = reasons(
      { title: 'Bucket is not encrypted at rest', file: 'main.tf', line: 3, end_line: 9 },
      { title: 'S3 bucket lacks encryption at rest', file: 'main.tf', line: 3, end_line: 9 },
    );
    expect(text).toContain('flaw: both are about encryption at rest');
    expect(text).toContain('thing: both concern: S3 bucket');
    expect(text).toContain('place: same place: main.tf lines 3-9');
  });

  test('shows words as they are written, not their stems', () => {
    const text = reasons(
      { title: 'Firewall constructor lets anyone reach the applications', evidence: 'Action: iam:PassRole' },
      { title: 'The firewall of an application is open to 0.0.0.0/0 and allows iam:PassRole' },
    );
    expect(text).toMatch(/both say: firewall, applications, iam:PassRole/);
    expect(text).not.toContain('function');
    expect(text).toMatch(/only the vulnerability: .*\banyone\b/);
    expect(text).toMatch(/only the finding: .*\bany address\b/);
  });

  test('says why rules of one weakness add nothing', () => {
    const claim = { title: 'Bucket is not encrypted at rest', resource: 'aws_s3_bucket.a', rule_ids: ['CKV_AWS_19'] };
    expect(reasons(claim, claim)).toContain('name the same weakness; the texts score as high without them');
  });

  test('says what differs', () => {
    const resource = 'aws_frobnicator.data';
    const text = reasons(
      { title: 'Encryption of the frobnicator is off', resource },
      { title: 'Deletion protection of the frobnicator is off', resource },
    );
    expect(text).toContain('flaw: about protection against deletion, not encryption');
    expect(text).toContain('limit: different flaws are no match');
  });

  test('says which settings differ, and which weakness both are near', () => {
    const title = (flag: string) => ({ title: `PostgreSQL flag '${flag}' is on in Cloud SQL` });
    const text = reasons(title('log_statement_alpha'), title('log_statement_beta'));
    expect(text).toContain('details: about the setting logstatementbeta, not logstatementalpha');
    expect(text).toContain('limit: the details differ');
    expect(
      reasons(
        { title: 'S3 bucket has no access logs' },
        { title: 'Nobody can tell who downloaded files from the S3 bucket' },
      ),
    ).toContain('both are like other texts about "S3 bucket does not log the requests made to it"');
  });

  test('names words that say the same in other words', () => {
    const text = reasons({ title: 'Snapshots are logged' }, { title: 'Snapshots are recorded' });
    expect(text).toContain('in other words: logged (recorded)');
  });

  test('names the rules', () => {
    const text = reasons({ rule_ids: ['AVD-AWS-0088'] }, { rule_id: 'CKV_AWS_19' });
    expect(text).toContain('rules: rule AVD-AWS-0088 and CKV_AWS_19 name the same weakness');
  });
});

const TEXTS = [
  '',
  'bucket',
  'S3 bucket is not encrypted',
  'RDS storage is not encrypted at rest',
  'TLS 1.0 is allowed',
  'Bucket has no access logging',
  'Security group allows SSH from 0.0.0.0/0',
  'port 3389',
  'frobnicator is on fire',
  'GuardDuty',
  'IAM policy with wildcards',
  'public read ACL',
  'KMS key is not rotated',
  'retention of the audit log',
  'everything is properly configured',
  'SQL server auditing',
];
const RESOURCES = [
  'aws_s3_bucket.a',
  'aws_s3_bucket.a_bucket',
  'aws_s3_bucket.b',
  'aws_s3_bucket_acl.a',
  'aws_db_instance.a',
  'a',
  'module.m.x',
];
const RULES = ['CKV_AWS_19', 'AVD-AWS-0088', 'CKV_AWS_18', 'aws-s3-enable-bucket-encryption', 'CWE-311'];

const claims: fc.Arbitrary<Claim> = fc
  .record({
    type: fc.constantFrom(...TEXTS),
    title: fc.constantFrom(...TEXTS),
    description: fc.oneof(fc.constantFrom(...TEXTS), fc.string()),
    resource: fc.subarray(RESOURCES, { maxLength: 2 }),
    file: fc.constantFrom(null, 'main.tf', 'other.tf'),
    line: fc.option(fc.integer({ min: 1, max: 30 })),
    rule_ids: fc.subarray(RULES, { maxLength: 1 }),
  })
  .map(readClaim);

describe('for any claims', () => {
  test('the candidates are the pairs that reach the floor, each once, with their score', () => {
    fc.assert(
      fc.property(
        fc.array(claims, { minLength: 12, maxLength: 25 }),
        fc.array(claims, { minLength: 18, maxLength: 25 }),
        fc.constantFrom(0.05, 0.25, 0.3, 0.3001, 0.35, 0.4, 0.42, 0.7, 0.9),
        (vulnerabilities, findings, floor) => {
          const matcher = createEvidenceMatcher(vulnerabilities, findings);
          const { length, vulnerability, finding, score } = matcher.candidates(floor);
          const found = Array.from({ length }, (_, i) => `${vulnerability[i]} ${finding[i]} ${score[i]}`);
          const all = vulnerabilities.flatMap((_, v) =>
            findings.map((__, f) => ({ text: `${v} ${f} ${matcher.score(v, f)}`, score: matcher.score(v, f) })),
          );
          const expected = all.filter((pair) => pair.score >= floor - THRESHOLD_TOLERANCE);
          expect(found.toSorted()).toEqual(expected.map(({ text }) => text).toSorted());
        },
      ),
      { numRuns: tried(150) },
    );
  });

  test('a score is between 0 and 1, the same alone as among others, and the sum of its factors', () => {
    fc.assert(
      fc.property(claims, fc.array(claims, { minLength: 1, maxLength: 5 }), (vulnerability, findings) => {
        const matcher = createEvidenceMatcher([vulnerability], findings);
        for (const [f, finding] of findings.entries()) {
          const score = matcher.score(0, f);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(createEvidenceMatcher([vulnerability], [finding]).score(0, 0)).toBe(score);
          const sum = matcher.explain(0, f).reduce((total, { points }) => total + points, 0);
          expect(Math.min(1, Math.max(0, sum))).toBeCloseTo(score, 9);
        }
      }),
    );
  });

  test('a claim with content matches itself', () => {
    fc.assert(
      fc.property(claims, (claim) => {
        fc.pre(/encrypted|TLS|logging|SSH|wildcards|ACL|rotated|audit/.test(claim.title));
        expect(createEvidenceMatcher([claim], [claim]).score(0, 0)).toBeGreaterThanOrEqual(0.7);
      }),
    );
  });
});

test('an index beyond the lists is refused', () => {
  expect(() => createEvidenceMatcher([], []).score(0, 0)).toThrow(RangeError);
});

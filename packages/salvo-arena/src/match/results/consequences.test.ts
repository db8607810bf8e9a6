import { expect, test } from 'vitest';
import { JudgeAgent } from '../judge-agent.ts';

const judge = new JudgeAgent({ matcher: 'evidence' });
const document = (name: string) => `data.aws_iam_policy_document.${name}`;

function flaw(id: string, weakness: string, resource: string, related: string[]) {
  return { id, weakness, resource, locations: related.map((other) => ({ kind: 'related', resource: other })) };
}

function rulesAt(resource: string, ids: readonly string[]) {
  return ids.map((id) => ({ rule_id: id, resource, title: `Rule ${id}` }));
}

/** What becomes of findings, by their rules: `v1` for a match, with a prefix for anything else. */
function outcomes(vulnerabilities: ReturnType<typeof flaw>[], findings: ReturnType<typeof rulesAt>) {
  const results = judge.score({ vulnerabilities }, findings, { twinFindings: [] });
  const entries = (pairs: readonly { findingIndex: number; vulnerabilityId: string }[], kind: string) =>
    pairs.map(({ findingIndex, vulnerabilityId }) => [findings[findingIndex]?.rule_id, `${kind}${vulnerabilityId}`]);
  return Object.fromEntries([
    ...entries(results.matches, ''),
    ...entries(results.duplicates, 'duplicate of '),
    ...entries(results.consequences, 'consequence of '),
  ]);
}

test.each([
  ['s3-policy-any-principal', 'aws_s3_bucket_policy.a'],
  ['sns-public', 'aws_sns_topic_policy.a'],
  ['sqs-public', 'aws_sqs_queue_policy.a'],
  ['efs-open-policy', 'aws_efs_file_system_policy.a'],
  ['kms-key-policy-wildcard', 'aws_kms_key.a'],
  ['ecr-public', 'aws_ecr_repository_policy.a'],
  ['iam-role-any-principal', 'aws_iam_role.a'],
  ['vpc-endpoint-open-policy', 'aws_vpc_endpoint.a'],
])(
  'a rule for policy documents finds %s at the document of the policy, and not at another one',
  (weakness, resource) => {
    const planted = [flaw('v1', weakness, resource, [document('mine')])];
    expect(outcomes(planted, rulesAt(document('mine'), ['CKV_AWS_283']))).toEqual({ CKV_AWS_283: 'v1' });
    expect(outcomes(planted, rulesAt(document('other'), ['CKV_AWS_283']))).not.toEqual({ CKV_AWS_283: 'v1' });
  },
);

test('what follows from an administrator’s policy names it if nothing else does, and is its consequence otherwise', () => {
  const planted = [flaw('v1', 'iam-policy-full-admin', 'aws_iam_policy.a', [document('a')])];
  const parts = rulesAt(document('a'), ['CKV_AWS_107', 'CKV_AWS_108', 'CKV_AWS_111']);
  const alone = Object.values(outcomes(planted, parts)).toSorted();
  expect(alone).toEqual(['consequence of v1', 'consequence of v1', 'v1']);
  expect(outcomes(planted, [...parts, ...rulesAt('aws_iam_policy.a', ['CKV_AWS_62'])])).toEqual({
    CKV_AWS_62: 'v1',
    CKV_AWS_107: 'consequence of v1',
    CKV_AWS_108: 'consequence of v1',
    CKV_AWS_111: 'consequence of v1',
  });
});

test('a consequence belongs to the flaw that lists its resource, although it follows from another one as well', () => {
  const planted = [
    flaw('v1', 'iam-administrator-access', 'aws_iam_role.deploy', []),
    flaw('v2', 'sns-public', 'aws_sns_topic_policy.events', [document('deploy')]),
  ];
  const findings = [
    ...rulesAt(document('deploy'), ['CKV_AWS_111']),
    ...rulesAt('aws_sns_topic_policy.events', ['CKV_AWS_169']),
    ...rulesAt('aws_iam_role.deploy', ['CKV_AWS_274']),
  ];
  expect(outcomes(planted, findings)).toEqual({
    CKV_AWS_111: 'consequence of v2',
    CKV_AWS_169: 'v2',
    CKV_AWS_274: 'v1',
  });
});

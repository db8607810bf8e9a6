import { describe, expect, it } from 'vitest';
import type { Finding } from '../claims/finding.ts';
import { JudgeAgent } from '../judge-agent.ts';

const judge = new JudgeAgent({ matcher: 'evidence' });

const ADMIN = {
  id: 'V1',
  type: 'iam',
  resource: 'aws_iam_role_policy.worker',
  severity: 'high',
  title: 'IAM policy grants every action on every resource',
  file: 'iam.tf',
  line: 10,
  end_line: 12,
  rule_ids: ['CKV_AWS_62'],
  weakness: 'iam-policy-full-admin',
};
const UNROTATED = {
  id: 'V2',
  type: 'encryption_at_rest',
  resource: 'aws_kms_key.main',
  severity: 'medium',
  title: 'Customer managed key is not rotated',
  file: 'main.tf',
  line: 4,
  end_line: 4,
  rule_ids: ['CKV_AWS_7'],
  weakness: 'kms-no-rotation',
};

function finding(rule_id: string, resource: string, title: string, more: Finding = {}): Finding {
  return { rule_id, resource, title, source: 'checkov', ...more };
}
const ADMIN_FOUND = finding('CKV_AWS_62', 'aws_iam_role_policy.worker', 'No policy with full administration rights');
const EXFILTRATION = finding('CKV_AWS_108', 'aws_iam_role_policy.worker', 'No data exfiltration');
const ESCALATION = finding('CKV_AWS_286', 'aws_iam_role_policy.worker', 'No privilege escalation');
const ROTATION = finding('CKV_AWS_7', 'aws_kms_key.main', 'Rotation of the key is enabled');
const REPLICATION = finding('CKV_AWS_144', 'aws_s3_bucket.logs', 'Cross-region replication is enabled');
const NOTIFICATION = finding('CKV2_AWS_62', 'aws_s3_bucket.logs', 'Event notifications are enabled');

describe('with a report on the clean twin', () => {
  it('a finding that only the flawed code has is a match, a duplicate or a consequence, never a false alarm', () => {
    const results = judge.score([ADMIN, UNROTATED], [ADMIN_FOUND, EXFILTRATION, ESCALATION, REPLICATION], {
      twinFindings: [REPLICATION],
    });
    expect(results.matches.map(({ findingIndex }) => findingIndex)).toEqual([0]);
    expect(results.consequences).toEqual([
      {
        findingIndex: 1,
        vulnerabilityId: 'V1',
        vulnerabilityIndex: 0,
        why: 'only in the flawed code; iam-policy-full-admin implies iam-policy-data-exfiltration',
      },
      {
        findingIndex: 2,
        vulnerabilityId: 'V1',
        vulnerabilityIndex: 0,
        why: 'only in the flawed code; iam-policy-full-admin implies iam-privilege-escalation',
      },
    ]);
    expect(results).toMatchObject({
      falseAlarms: [1, 2, 3],
      precision: 0.25,
      inTwin: [3],
      falseAlarmsByTwin: [3],
      cleanAlarms: [0],
      precisionByTwin: 0.5,
      f1ByTwin: 0.5,
      precisionUsed: 'twin',
    });
  });

  it('a finding in both reports is never a match, however well it fits', () => {
    const results = judge.score([UNROTATED], [ROTATION], { twinFindings: [{ ...ROTATION, line: 99 }] });
    expect(results).toMatchObject({ truePositives: 0, inTwin: [0], falseAlarmsByTwin: [0], precisionByTwin: 0 });
    expect(results.nearMisses).toMatchObject([{ vulnerabilityId: 'V2', findingIndex: 0, reason: 'in_twin' }]);
  });

  it('a finding that follows from a flaw but is in both reports is a false alarm', () => {
    const results = judge.score([ADMIN], [ADMIN_FOUND, EXFILTRATION], { twinFindings: [EXFILTRATION] });
    expect(results).toMatchObject({ consequences: [], falseAlarmsByTwin: [1] });
  });

  it('as many findings are new as the twin has fewer of, and those at the flaw are', () => {
    const rule = { ...ROTATION, attribute: 'ingress/[0]/cidr_blocks', file: 'main.tf' };
    const [old, fresh] = [
      { ...rule, line: 30 },
      { ...rule, line: 4, attribute: 'ingress/[1]/cidr_blocks' },
    ];
    for (const findings of [
      [old, fresh],
      [fresh, old],
    ]) {
      const results = judge.score([UNROTATED], findings, { twinFindings: [{ ...rule, line: 21 }] });
      expect(results.matches.map(({ findingIndex }) => findings[findingIndex])).toEqual([fresh]);
      expect(results.inTwin).toEqual([findings.indexOf(old)]);
    }
  });

  it.each([
    ['another rule', finding('CKV_AWS_33', 'aws_kms_key.main', 'Rotation of the key is enabled')],
    ['another resource', { ...ROTATION, resource: 'aws_kms_key.other' }],
    ['another entry of a for_each', { ...ROTATION, resource: 'aws_kms_key.main["a"]' }],
  ])('a finding of %s is not the same', (_, other) => {
    expect(judge.score([UNROTATED], [ROTATION], { twinFindings: [other] }).inTwin).toEqual([]);
  });

  it.each([
    ['lines', { ...ROTATION, line: 70, end_line: 90 }],
    ['the case of the rule', { ...ROTATION, rule_id: 'ckv_aws_7' }],
    ['a numeric index', { ...ROTATION, resource: 'aws_kms_key.main[0]' }],
    ['the description', { ...ROTATION, description: 'Fails at line 70' }],
  ])('a finding that differs in %s is the same', (_, other) => {
    expect(judge.score([UNROTATED], [ROTATION], { twinFindings: [other] }).inTwin).toEqual([0]);
  });

  it('findings without a rule are the same when they say the same in other words', () => {
    const said = { resource: 'aws_s3_bucket.logs', title: 'Versioning is not enabled on the log bucket' };
    const again = { resource: 'aws_s3_bucket.logs', title: 'S3 bucket has versioning disabled' };
    const elsewhere = { ...again, resource: 'aws_s3_bucket.data' };
    expect(judge.score([UNROTATED], [said], { twinFindings: [again] }).inTwin).toEqual([0]);
    expect(judge.score([UNROTATED], [said], { twinFindings: [elsewhere] }).inTwin).toEqual([]);
  });

  it('a chance finding on a clean resource is a false alarm if Blue is not repeatable', () => {
    const evidence = { twinFindings: [], cleanResources: ['aws_s3_bucket.logs'] };
    const chance = { resource: 'aws_s3_bucket.logs', title: 'The bucket has no replication' };
    const near = { resource: 'aws_kms_key.main', title: 'The key has no alias' };
    expect(judge.score([UNROTATED], [chance, near], evidence).falseAlarmsByTwin).toEqual([]);
    expect(judge.score([UNROTATED], [chance, near], { ...evidence, repeatable: false })).toMatchObject({
      falseAlarmsByTwin: [0],
      consequences: [{ findingIndex: 1 }],
    });
  });

  it('a consequence belongs to the nearest flaw, by place and then by words', () => {
    const policy = finding('CKV_AWS_33', 'aws_kms_key.main', 'The key policy has no wildcard principal');
    const results = judge.score([ADMIN, UNROTATED], [policy], { twinFindings: [] });
    expect(results.consequences).toMatchObject([{ vulnerabilityId: 'V2' }]);
    const nowhere = finding('CKV_X_1', '', 'Key rotation should be watched', { resource: null, file: 'outputs.tf' });
    expect(judge.score([ADMIN, UNROTATED], [nowhere], { twinFindings: [] }).consequences).toMatchObject([
      { vulnerabilityId: 'V2', why: expect.stringContaining('the nearest flaw') },
    ]);
  });

  it('an empty report on the twin is a report', () => {
    expect(judge.score([UNROTATED], [ROTATION], { twinFindings: [] })).toMatchObject({
      inTwin: [],
      precisionByTwin: 1,
      precisionUsed: 'twin',
    });
  });

  it('the order of both reports changes nothing', () => {
    const findings = [ADMIN_FOUND, EXFILTRATION, ROTATION, REPLICATION, NOTIFICATION];
    const twin = [NOTIFICATION, REPLICATION];
    const forth = judge.score([ADMIN, UNROTATED], findings, { twinFindings: twin });
    const back = judge.score([UNROTATED, ADMIN], findings.toReversed(), { twinFindings: twin.toReversed() });
    const mirrored = (indices: readonly number[] | null) => indices?.map((index) => 4 - index).toSorted();
    expect(mirrored(back.inTwin)).toEqual(forth.inTwin);
    expect(mirrored(back.falseAlarmsByTwin)).toEqual(forth.falseAlarmsByTwin);
    expect(back.precisionByTwin).toBe(forth.precisionByTwin);
  });
});

describe('a weakness that was present before', () => {
  const manifest = {
    vulnerabilities: [UNROTATED],
    present_before: [{ weakness: 's3-no-replication', resource: 'aws_s3_bucket.logs' }],
  };

  it('is neither a match nor a false alarm, with and without a report on the twin', () => {
    const findings = [ROTATION, REPLICATION, NOTIFICATION];
    const twinFindings = [REPLICATION, NOTIFICATION];
    expect(judge.score(manifest, findings, { twinFindings })).toMatchObject({
      presentBefore: [1],
      falseAlarmsByTwin: [2],
      cleanAlarms: [1],
      precisionByTwin: 0.5,
    });
    expect(judge.score(manifest, findings)).toMatchObject({
      presentBefore: [1],
      falseAlarms: [1, 2],
      precision: 1 / 3,
    });
  });

  it('is recognised in words as well', () => {
    const said = { resource: 'aws_s3_bucket.logs', title: 'The bucket is not replicated to another region' };
    expect(judge.score(manifest, [said], { twinFindings: [said] }).presentBefore).toEqual([0]);
  });

  it('is present on its own resource only', () => {
    const other = { ...REPLICATION, resource: 'aws_s3_bucket.data' };
    expect(judge.score(manifest, [other], { twinFindings: [other] })).toMatchObject({
      presentBefore: [],
      falseAlarmsByTwin: [0],
    });
  });

  it.each([['x'], [[1]], [[{ weakness: 'a' }]], [[{ weakness: 1, resource: 'b' }]]])('is refused as %j', (listed) => {
    expect(() => judge.score({ vulnerabilities: [], present_before: listed }, [])).toThrow(/present_before/);
  });
});

describe('without a report on the twin', () => {
  it('a finding whose weakness follows from a flaw at its place is a consequence, and classic precision is as ever', () => {
    const elsewhere = { ...EXFILTRATION, resource: 'aws_iam_policy.other' };
    const results = judge.score([ADMIN], [ADMIN_FOUND, EXFILTRATION, elsewhere]);
    expect(results).toMatchObject({
      falsePositives: 2,
      falseAlarms: [1, 2],
      precision: 1 / 3,
      inTwin: null,
      falseAlarmsByTwin: null,
      precisionByTwin: null,
      precisionUsed: 'classic',
    });
    expect(results.consequences).toEqual([
      {
        findingIndex: 1,
        vulnerabilityId: 'V1',
        vulnerabilityIndex: 0,
        why: 'iam-policy-full-admin implies iam-policy-data-exfiltration',
      },
    ]);
  });
});

describe('what a tool does with a value that only evaluation finds', () => {
  const VALUE = { resource: 'aws_s3_bucket.logs', attribute: 'force_destroy' };
  const closed = [ADMIN_FOUND, REPLICATION, NOTIFICATION];

  it('is unresolved, beside the false alarms: a tool that fails closed has the precision of a silent one', () => {
    const failsClosed = judge.score([ADMIN], closed, {
      twinFindings: [REPLICATION, NOTIFICATION],
      unresolved: [VALUE, VALUE],
    });
    const silent = judge.score([ADMIN], [ADMIN_FOUND], { twinFindings: [], unresolved: [] });
    expect(failsClosed.unresolved).toEqual([
      { findingIndex: 1, ...VALUE },
      { findingIndex: 2, ...VALUE },
    ]);
    // The contract's fields and the precision by the twin stay as they are.
    expect(failsClosed).toMatchObject({ truePositives: 1, falsePositives: 2, falseAlarmsByTwin: [1, 2] });
    expect(failsClosed.precisionByTwin).toBeCloseTo(1 / 3);
    expect([failsClosed.precisionWithoutUnresolved, silent.precisionWithoutUnresolved]).toEqual([1, 1]);
  });

  it('is a false alarm as ever where the value is known, and nothing is said where nothing is known', () => {
    const one = judge.score([ADMIN], closed, {
      twinFindings: [NOTIFICATION, REPLICATION],
      unresolved: [VALUE, null],
    });
    expect(one.unresolved).toEqual([{ findingIndex: 2, ...VALUE }]);
    expect(one.precisionWithoutUnresolved).toBe(0.5);
    const unknown = judge.score([ADMIN], closed, { twinFindings: [NOTIFICATION, REPLICATION] });
    expect(unknown).toMatchObject({ unresolved: null, precisionWithoutUnresolved: null });
    expect(judge.score([ADMIN], closed)).toMatchObject({ unresolved: null, precisionWithoutUnresolved: null });
  });

  it('does not excuse a finding that is only in the flawed code', () => {
    const results = judge.score([ADMIN], closed, { twinFindings: [], unresolved: [VALUE, VALUE, VALUE] });
    expect(results.unresolved).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { report } from '../../../../test/match-import/report-fixture.ts';
import { cfnGuard } from './cfn-guard.ts';

describe("cfn-guard's report", () => {
  const findings = cfnGuard.findings(report('cfn-guard.json'));

  it('is read with all its fields', () => {
    expect(findings[0]).toEqual({
      source: 'cfn-guard',
      type: '',
      rule_id: 'QUEUE_IS_ENCRYPTED',
      rule_ids: ['ferry.guard/QUEUE_IS_ENCRYPTED'],
      title: 'The queue has no key.',
      resource: 'WaitingList',
      file: 'template.yaml',
      line: 7,
      attribute: 'KmsMasterKeyId',
    });
  });

  it('makes one finding of all clauses of a rule that fail for a resource', () => {
    expect(findings[1]).toMatchObject({
      rule_id: 'BUCKET_IS_PRIVATE',
      resource: 'AWS::S3::Bucket.Timetable',
      attribute: ['AccessControl', 'PublicAccessBlockConfiguration.BlockPublicAcls'],
      line: 12,
    });
  });

  it('does not quote values of the template', () => {
    expect(findings[1]).toMatchObject({
      title: 'BUCKET_IS_PRIVATE',
      description: 'Check was not compliant: %buckets[*].Properties.AccessControl EQUALS  "Private"',
    });
  });

  it('takes the message of the outermost rule, and the place of any clause that has one', () => {
    expect(findings[2]).toEqual({
      source: 'cfn-guard',
      type: '',
      rule_id: 'alarm_topic_is_encrypted_check',
      rule_ids: ['ALARM_TOPIC_IS_ENCRYPTED', 'FERRY.SNS.1'],
      title: 'Require a topic to be encrypted with a key',
      resource: 'Alarms',
      file: 'template.yaml',
      line: 16,
      attribute: ['KmsMasterKeyId', 'Tags'],
      remediation: "Set 'KmsMasterKeyId' to a key.",
    });
  });

  it('has no resource when the template as a whole fails', () => {
    expect(findings[3]).toMatchObject({ rule_id: 'HAS_TRAIL' });
    expect(findings[3]).not.toHaveProperty('resource');
    expect(findings).toHaveLength(4);
  });

  it('may be grouped by rule, as in old versions', () => {
    const old = report('cfn-guard-old.json');
    expect(cfnGuard.recognises(old)).toBe(true);
    expect(cfnGuard.findings(old)).toMatchObject([
      { rule_id: 'queue_is_encrypted', resource: 'WaitingList', attribute: 'KmsMasterKeyId', file: 'template.yaml' },
    ]);
  });

  it('has one finding for each resource of a rule, and keeps a rule without resources', () => {
    const clause = (path: string) => ({ Clause: { Unary: { check: { Resolved: { value: { path } } } } } });
    const rule = (name: string, checks: unknown[]) => ({ Rule: { name, checks } });
    const found = cfnGuard.findings({
      name: 't.json',
      not_compliant: [rule('A', [clause('/Resources/X/Properties/P'), clause('/Resources/Y')]), rule('B', [])],
    });
    expect(found.map(({ rule_id, resource }) => [rule_id, resource])).toEqual([
      ['A', 'X'],
      ['A', 'Y'],
      ['B', undefined],
    ]);
  });
});

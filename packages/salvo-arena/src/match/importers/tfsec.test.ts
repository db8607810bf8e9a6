import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { tfsec } from './tfsec.ts';

describe("tfsec's report", () => {
  const findings = tfsec.findings(report('tfsec.json'));

  it('gives what failed, not what passed or is ignored', () => {
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['AVD-AWS-0092', 'AVD-AWS-0104', 'AWS018']);
  });

  it('is read with all its fields', () => {
    expect(findings[0]).toEqual({
      source: 'tfsec',
      type: '',
      rule_id: 'AVD-AWS-0092',
      rule_ids: ['aws-s3-no-public-access-with-acl'],
      title: 'Bucket ACL is public',
      description: "Bucket has a public ACL: 'public-read'.",
      severity: 'high',
      resource: 'aws_s3_bucket.tickets',
      file: '/home/ci/ferry/main.tf',
      line: 13,
      end_line: 13,
      remediation: 'Make the ACL private',
    });
  });

  it('keeps the drive of a path', () => {
    expect(findings[1]?.file).toBe('C:/ci/ferry/network.tf');
  });

  it('finds the resource in the messages of old versions', () => {
    expect(findings[2]).toMatchObject({ resource: 'aws_security_group.web', severity: 'high' });
  });

  it('is null for a clean run', () => {
    for (const clean of [{ results: null }, { results: [] }]) {
      expect(tfsec.recognises(clean)).toBe(true);
      expect(tfsec.findings(clean)).toEqual([]);
    }
    expect(tfsec.recognises({ results: [], errors: [] })).toBe(false);
  });
});

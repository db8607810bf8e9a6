import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { snyk } from './snyk.ts';

describe("Snyk's report", () => {
  const findings = snyk.findings(report('snyk.json'));

  it('is read with all its fields', () => {
    expect(findings[0]).toEqual({
      source: 'snyk',
      type: '',
      rule_id: 'SNYK-CC-TF-18',
      title: 'Bucket is public',
      description: "The bucket's ACL lets everyone read it",
      severity: 'medium',
      resource: 'aws_s3_bucket.tickets',
      file: 'infra/main.tf',
      line: 13,
      attribute: 'acl',
      remediation: 'Set `acl` to `private`',
    });
  });

  it('reads the resource from the path of every language, without what is ignored', () => {
    expect(findings.map(({ resource, attribute, line }) => [resource, attribute, line])).toEqual([
      ['aws_s3_bucket.tickets', 'acl', 13],
      ['aws_db_instance.bookings', 'storage_encrypted', undefined],
      ['WaitingList', 'KmsMasterKeyId', 6],
    ]);
  });

  it('is one object for one file', () => {
    expect(snyk.recognises({ vulnerabilities: [], infrastructureAsCodeIssues: [] })).toBe(true);
    expect(snyk.recognises({ vulnerabilities: [], packageManager: 'npm' })).toBe(false);
  });
});

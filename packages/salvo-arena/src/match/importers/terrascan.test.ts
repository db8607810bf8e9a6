import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { terrascan } from './terrascan.ts';

describe("Terrascan's report", () => {
  const findings = terrascan.findings(report('terrascan.json'));

  it('is read with all its fields', () => {
    expect(findings[0]).toEqual({
      source: 'terrascan',
      type: 'iam',
      rule_id: 'AC_AWS_0210',
      rule_ids: ['s3BucketPublicRead'],
      title: 'A bucket should not be readable by everyone',
      severity: 'high',
      resource: 'aws_s3_bucket.tickets',
      file: 'main.tf',
      line: 11,
    });
  });

  it('joins type, name and module to an address, and leaves out skipped violations', () => {
    expect(findings.map(({ resource, file }) => [resource, file])).toEqual([
      ['aws_s3_bucket.tickets', 'main.tf'],
      ['module.archive.aws_s3_bucket.this', 'modules/storage/main.tf'],
      ['aws_security_group.web', 'network.tf'],
    ]);
  });

  it('may have null for no violations', () => {
    const clean = { results: { violations: null, skipped_violations: null, scan_summary: {} } };
    expect(terrascan.recognises(clean)).toBe(true);
    expect(terrascan.findings(clean)).toEqual([]);
  });
});

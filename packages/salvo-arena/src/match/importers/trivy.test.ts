import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { trivy } from './trivy.ts';

describe("Trivy's report", () => {
  const findings = trivy.findings(report('trivy.json'));

  it('gives what failed, with the file of the target', () => {
    expect(findings.map(({ rule_id, file }) => [rule_id, file])).toEqual([
      ['AVD-AWS-0092', 'main.tf'],
      ['AWS-0080', 'main.tf'],
      ['AVD-AWS-0090', 'modules/storage/main.tf'],
      ['AVD-AWS-0096', 'template.yaml'],
      ['generic-password', 'main.tf'],
      ['CVE-2020-8203', 'package-lock.json'],
    ]);
  });

  it('is read with all its fields', () => {
    expect(findings[0]).toEqual({
      source: 'trivy',
      type: '',
      rule_id: 'AVD-AWS-0092',
      title: 'Bucket ACL is public',
      description: 'Bucket has a public ACL: public-read',
      severity: 'high',
      resource: 'aws_s3_bucket.tickets',
      file: 'main.tf',
      line: 13,
      end_line: 13,
      remediation: 'Make the ACL private',
    });
  });

  it('knows the former id of a rule', () => {
    expect(findings[1]?.rule_ids).toEqual(['AVD-AWS-0080']);
  });

  it('reads neither a place as a resource nor UNKNOWN as a severity', () => {
    expect(findings[3]).not.toHaveProperty('resource');
    expect(findings[3]).not.toHaveProperty('severity');
  });

  it('gives secrets and packages their own types', () => {
    expect(findings[4]).toMatchObject({ type: 'secret', line: 26, severity: 'critical' });
    expect(findings[5]).toMatchObject({ type: 'dependency', resource: 'lodash@4.17.15', rule_ids: ['CWE-1321'] });
  });

  it('may be a list of targets, as in old versions', () => {
    const old = report('trivy-old.json');
    expect(trivy.recognises(old)).toBe(true);
    expect(trivy.findings(old)).toMatchObject([{ rule_id: 'AWS008', resource: 'aws_security_group.web', line: 10 }]);
  });

  it('has no results for a clean run, and targets inside resources for a cluster', () => {
    const clean = { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' };
    expect(trivy.recognises(clean)).toBe(true);
    expect(trivy.findings(clean)).toEqual([]);
    const target = { Target: 'Pod/kiosk', Misconfigurations: [{ ID: 'KSV001', Title: 'x', Status: 'FAIL' }] };
    const cluster = { ClusterName: 'kind', Resources: [{ Kind: 'Pod', Results: [target] }, { Kind: 'Pod' }] };
    expect(trivy.recognises(cluster)).toBe(true);
    expect(trivy.findings(cluster)).toHaveLength(1);
  });
});

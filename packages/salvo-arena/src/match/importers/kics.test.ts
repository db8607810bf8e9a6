import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { kics } from './kics.ts';

describe("KICS's report", () => {
  const findings = kics.findings(report('kics.json'));

  it('gives one finding for each place of each query, and no inventory', () => {
    expect(findings.map(({ resource, file, line }) => [resource, file, line])).toEqual([
      ['aws_security_group.web', '../../ferry/network.tf', 10],
      ['aws_db_instance.bookings', 'main.tf', 28],
      ['AWS::SQS::Queue.WaitingList', 'template.yaml', 6],
      ['data.aws_iam_policy_document.crew', 'network.tf', 21],
      ['Pod.kiosk', 'deploy/pod.yaml', undefined],
    ]);
  });

  it('is read with all its fields, with the address from the search key and not from the name in the cloud', () => {
    expect(findings[0]).toEqual({
      source: 'kics',
      type: 'network',
      rule_id: '65905cec-d691-4320-b320-2000436cb696',
      rule_ids: ['CWE-668'],
      title: 'Unrestricted Remote Shell',
      description: 'Port 22 should not be open to every address',
      evidence: 'Port 22 is open to 0.0.0.0/0',
      severity: 'critical',
      resource: 'aws_security_group.web',
      file: '../../ferry/network.tf',
      line: 10,
      attribute: 'ingress.cidr_blocks',
      remediation: 'Port 22 should be closed to 0.0.0.0/0',
    });
  });

  it('finds the name of a missing attribute in the description', () => {
    const attributeOf = (place: Record<string, unknown>) =>
      kics.findings({
        queries: [{ query_id: 'x', files: [{ search_key: 'aws_redshift_cluster[main]', ...place }] }],
      })[0]?.attribute;
    expect(findings[2]?.attribute).toBe('KmsMasterKeyId');
    expect(attributeOf({ search_value: 'vpc_security_group_ids' })).toBe('vpc_security_group_ids');
    expect(attributeOf({ actual_value: "'aws_redshift_cluster.logging' is undefined" })).toBe('logging');
    expect(attributeOf({ actual_value: 'aws_redshift_cluster[main].port is undefined or null' })).toBe('port');
    expect(attributeOf({ actual_value: 'Port 22 is open' })).toBeUndefined();
  });

  it('does not read n/a as a name', () => {
    const files = [{ search_key: 'resource', resource_type: 'n/a', resource_name: 'n/a' }];
    expect(kics.findings({ queries: [{ query_id: 'x', files }] })[0]).not.toHaveProperty('resource');
  });

  it('is recognised when it is empty', () => {
    expect(kics.recognises({ kics_version: 'v2', queries: [] })).toBe(true);
    expect(kics.recognises({ queries: [] })).toBe(false);
    expect(kics.recognises({ queries: 'none', kics_version: 'v2' })).toBe(false);
  });
});

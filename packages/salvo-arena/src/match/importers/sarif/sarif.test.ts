import { describe, expect, it } from 'vitest';
import { report } from '../../../../test/match-import/report-fixture.ts';
import { sarif } from './sarif.ts';

/** The findings of a log with one run. The fields that every log needs are added. */
function findingsOf(result: Record<string, unknown>, driver: Record<string, unknown> = {}) {
  return sarif.findings({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'X', ...driver } }, results: [result] }],
  });
}

describe('a SARIF log', () => {
  const findings = sarif.findings(report('sarif.json'));

  it('gives what failed, not results that passed, are open, are accepted or no longer exist', () => {
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['HS-1', 'HP-7', 'HS-2/sub', 'UNDESCRIBED']);
  });

  it('is read with all its fields, with placeholders filled in', () => {
    expect(findings[0]).toEqual({
      source: 'harbourscan',
      type: 'access_control',
      rule_id: 'HS-1',
      rule_ids: ['HS-0', 'CWE-732'],
      title: 'Bucket is public',
      description: 'The ACL of aws_s3_bucket.tickets is public-read.',
      severity: 'critical',
      resource: 'aws_s3_bucket.tickets',
      file: 'main.tf',
      line: 13,
      end_line: 13,
      remediation: 'Make the ACL private.',
    });
  });

  it('finds rules of extensions, by index or id, and by the beginning of an id', () => {
    expect(findings[1]).toMatchObject({ title: 'Database is not encrypted', rule_ids: ['CWE-311'] });
    expect(findings[2]).toMatchObject({ title: 'Shared words about doors.', severity: 'low' });
  });

  it('ignores an index that points at another rule', () => {
    expect(findings[3]).toMatchObject({ title: "Something about 'doors'.", severity: 'medium', type: '' });
  });

  it('decodes URIs, and puts only a relative base before a path', () => {
    expect(findings.map(({ file }) => file)).toEqual([
      'main.tf',
      'C:/ci/my ferry/main.tf',
      'network.tf',
      'infra/network.tf',
    ]);
  });

  it.each([
    [{ level: 'error' }, 'high'],
    [{ level: 'warning' }, 'medium'],
    [{ level: 'note' }, 'low'],
    [{ level: 'none' }, 'info'],
    [{}, 'medium'],
    [{ level: 'note', properties: { 'security-severity': '9.0' } }, 'critical'],
    [{ level: 'note', properties: { 'security-severity': 7 } }, 'high'],
    [{ level: 'note', properties: { 'security-severity': '4.0' } }, 'medium'],
    [{ level: 'error', properties: { 'security-severity': '3.9' } }, 'low'],
    [{ level: 'error', properties: { 'security-severity': '0.0' } }, 'info'],
    [{ level: 'error', properties: { 'security-severity': 'high' } }, 'high'],
    [{ level: 'error', properties: { severity: 'LOW' } }, 'low'],
  ])('reads the severity of %j as %s', (result, severity) => {
    expect(findingsOf(result)[0]?.severity).toBe(severity);
  });

  it('uses the level of the rule when the result has none', () => {
    const driver = { rules: [{ id: 'R', defaultConfiguration: { level: 'error' } }] };
    expect(findingsOf({ ruleId: 'R' }, driver)[0]?.severity).toBe('high');
  });

  it('reads a logical location as a resource only if it looks like one', () => {
    const at = (logical: Record<string, unknown>) =>
      findingsOf({ locations: [{ logicalLocations: [logical] }] })[0]?.resource;
    expect(at({ name: 'main', kind: 'function', fullyQualifiedName: 'pkg.main' })).toBeUndefined();
    expect(at({ fullyQualifiedName: 'module.a.aws_s3_bucket.b[0]' })).toBe('module.a.aws_s3_bucket.b[0]');
    expect(at({ name: 'AWS::S3::Bucket.Data' })).toBe('AWS::S3::Bucket.Data');
    expect(at({ name: 'anything', kind: 'resource' })).toBe('anything');
  });

  it('is neither a log of version 1 nor any object with runs', () => {
    expect(sarif.recognises({ version: '1.0.0', runs: [] })).toBe(false);
    expect(sarif.recognises({ runs: [] })).toBe(false);
    expect(sarif.recognises({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] })).toBe(true);
  });
});

describe('SARIF as scanners write it', () => {
  const bySource = Object.groupBy(sarif.findings(report('sarif-flavours.json')), ({ source }) => source ?? '');
  const only = (source: string) => bySource[source]?.[0];

  it('Trivy: the fields are inside the message', () => {
    expect(only('trivy')).toMatchObject({ description: 'Bucket has a public ACL: public-read', severity: 'high' });
  });

  it("Checkov: another tool name, and help that names another result's resource", () => {
    expect(only('checkov')).toMatchObject({ rule_id: 'CKV_AWS_16', line: 20, end_line: 30 });
    expect(only('checkov')).not.toHaveProperty('resource');
    expect(only('checkov')).not.toHaveProperty('remediation');
  });

  it('KICS: categories and CWEs are taxa', () => {
    expect(only('kics')).toMatchObject({ type: 'network', rule_ids: ['CWE-668'], title: 'Unrestricted Remote Shell' });
  });

  it("Terrascan: the kind of a location is the resource's type", () => {
    expect(only('terrascan')).toMatchObject({ resource: 'aws_s3_bucket.tickets', type: 'iam', severity: 'low' });
  });

  it('Snyk: the resource is a path, the severity is in the title, and all messages are the same', () => {
    expect(only('snyk')).toMatchObject({
      title: 'Bucket is public',
      resource: 'aws_s3_bucket.tickets',
      attribute: 'acl',
    });
    expect(only('snyk')).not.toHaveProperty('description');
  });

  it('Semgrep: CWEs are tags', () => {
    expect(only('semgrep')).toMatchObject({ rule_ids: ['CWE-798'], severity: 'high' });
  });

  it('cfn-guard: the resource is only in the message, and the clauses of a rule are one finding', () => {
    expect(bySource['cfn-guard']).toEqual([
      {
        source: 'cfn-guard',
        type: '',
        rule_id: 'QUEUE_IS_ENCRYPTED',
        title: 'The queue has no key.',
        resource: 'WaitingList',
        file: 'template.yaml',
        line: 7,
        attribute: ['KmsMasterKeyId', 'QueueName'],
      },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { JudgeAgent } from '../../judge-agent.ts';

/** A flaw whose value is written elsewhere, with all the sites that carry it. */
const FLAW = {
  id: 'V1',
  type: 'encryption_at_rest',
  resource: 'aws_db_instance.orders',
  severity: 'high',
  title: 'RDS instance is not encrypted',
  description: 'The storage of aws_db_instance.orders is not encrypted.',
  file: 'database.tf',
  line: 14,
  end_line: 14,
  attribute: 'storage_encrypted',
  locations: [
    { kind: 'resource', resource: 'aws_db_instance.orders', file: 'database.tf', line: 3, end_line: 30 },
    { kind: 'definition', resource: 'var.encrypted', file: 'variables.tf', line: 40, end_line: 44 },
    { kind: 'definition', resource: 'local.storage', file: 'locals.tf', line: 7, end_line: 7 },
    { kind: 'definition', resource: 'module.settings', file: 'main.tf', line: 60, end_line: 66 },
    { kind: 'definition', resource: 'Environments', file: 'template.yaml', line: 12, end_line: 20 },
    { kind: 'definition', resource: null, file: 'production.tfvars', line: 9, end_line: 9 },
    { kind: 'related', resource: 'aws_rds_cluster.orders', file: 'cluster.tf', line: 1, end_line: 20 },
  ],
};
const SAID = { type: FLAW.type, severity: FLAW.severity, title: 'Database storage is not encrypted at rest' };

function isFound(finding: object, flaw: object = FLAW): boolean {
  return new JudgeAgent({ matcher: 'evidence' }).score([flaw], [{ ...SAID, ...finding }]).truePositives === 1;
}

describe('a finding at a site that carries the flaw', () => {
  it.each([
    [{ resource: 'aws_db_instance.orders', file: 'database.tf', line: 3 }],
    [{ resource: 'var.encrypted', file: 'variables.tf', line: 40 }],
    [{ resource: 'variable "encrypted"', file: 'variables.tf', line: 41 }],
    [{ resource: 'local.storage', file: 'locals.tf', line: 7 }],
    [{ resource: 'local.storage.encrypted', file: 'locals.tf' }],
    [{ resource: 'module.settings', file: 'main.tf', line: 60 }],
    [{ resource: 'module.settings.aws_db_instance.this', file: 'modules/settings/main.tf', line: 2 }],
    [{ resource: 'Mappings.Environments', file: 'template.yaml', line: 12 }],
    [{ resource: 'Environments', file: 'template.yaml' }],
    [{ file: 'production.tfvars', line: 9 }],
    [{ file: 'variables.tf', line: 42 }],
    [{ resource: 'locals', file: 'locals.tf', line: 7 }],
    [{ resource: 'aws_rds_cluster.orders', file: 'cluster.tf', line: 1 }],
  ])('is as right as one on the resource: %j', (finding) => {
    expect(isFound(finding)).toBe(true);
  });

  it.each([
    [{ resource: 'var.retention', file: 'variables.tf', line: 41 }],
    [{ resource: 'aws_db_instance.reports', file: 'variables.tf', line: 41 }],
    [{ resource: 'module.network', file: 'main.tf', line: 80 }],
    [{ resource: 'local.network' }],
    [{ file: 'staging.tfvars', line: 9 }],
    [{ file: 'variables.tf', line: 90 }],
  ])('and one elsewhere is not: %j', (finding) => {
    expect(isFound(finding)).toBe(false);
  });

  it('is explained as one', () => {
    const judge = new JudgeAgent({ matcher: 'evidence' });
    const [match] = judge.score([FLAW], [{ ...SAID, resource: 'var.encrypted', file: 'variables.tf' }]).matches;
    expect(match?.explanation).toContain('a place that carries the flaw');
  });

  it('must still be about the flaw', () => {
    const other = { resource: 'var.encrypted', title: 'Access logs are not kept', type: 'logging' };
    expect(isFound(other)).toBe(false);
  });

  it('is told from one on another resource in a large report as well', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...SAID, resource: `aws_db_instance.other${index}` }));
    const findings = [...many, { ...SAID, resource: 'var.encrypted', file: 'variables.tf', line: 40 }];
    const results = new JudgeAgent({ matcher: 'evidence' }).score([FLAW], findings);
    expect(results.matches.map(({ findingIndex }) => findingIndex)).toEqual([300]);
  });
});

it('a finding on a module call is at the place of a flawed resource inside the module', () => {
  const inside = { ...FLAW, resource: 'module.db.aws_db_instance.orders', locations: undefined };
  expect(isFound({ resource: 'module.db', file: 'main.tf', line: 5 }, inside)).toBe(true);
  expect(isFound({ resource: 'module.queue', file: 'main.tf', line: 5 }, inside)).toBe(false);
});

it('a finding cannot claim to be everywhere by listing locations', () => {
  const finding = { resource: 'aws_db_instance.reports', locations: FLAW.locations };
  expect(isFound(finding, { ...FLAW, locations: [] })).toBe(false);
});

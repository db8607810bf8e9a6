import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { semgrep } from './semgrep.ts';

describe("Semgrep's report", () => {
  const findings = semgrep.findings(report('semgrep.json'));

  it('is read with all its fields, without results that are ignored in the code', () => {
    expect(findings).toEqual([
      {
        source: 'semgrep',
        type: 'improper_authorization',
        rule_id: 'rules.terraform.aws.security.rds-public-access',
        rule_ids: ['rds-public-access', 'CWE-284'],
        title: 'rds public access',
        description: 'The database accepts connections from the internet.',
        evidence: 'publicly_accessible = true',
        severity: 'medium',
        file: 'main.tf',
        line: 27,
        end_line: 27,
      },
      {
        source: 'semgrep',
        type: '',
        rule_id: 'hard-coded-password',
        rule_ids: ['CWE-798'],
        title: 'hard coded password',
        description: 'A password is written in the code.',
        severity: 'high',
        file: 'main.tf',
        line: 26,
        end_line: 26,
        remediation: 'var.password',
      },
    ]);
  });

  it('is recognised when it is empty', () => {
    expect(semgrep.recognises({ results: [], errors: [], paths: { scanned: [] } })).toBe(true);
    expect(semgrep.recognises({ results: [] })).toBe(false);
  });
});

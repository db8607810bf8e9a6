import { describe, expect, it } from 'vitest';
import { report } from '../../../test/match-import/report-fixture.ts';
import { checkov } from './checkov.ts';

describe("Checkov's report", () => {
  const findings = checkov.findings(report('checkov.json'));

  it('gives what failed in every framework, not what passed or was skipped', () => {
    expect(findings.map(({ rule_id }) => rule_id)).toEqual([
      'CKV_AWS_20',
      'CKV_AWS_16',
      'CKV_AWS_21',
      'CKV_AWS_24',
      'CKV_AWS_27',
      'CKV_SECRET_6',
    ]);
  });

  it('is read with all its fields', () => {
    expect(findings[1]).toEqual({
      source: 'checkov',
      type: '',
      rule_id: 'CKV_AWS_16',
      rule_ids: ['BC_AWS_GENERAL_4'],
      title: 'Database storage is encrypted',
      severity: 'high',
      resource: 'aws_db_instance.bookings',
      file: 'main.tf',
      line: 20,
      end_line: 30,
      attribute: 'storage_encrypted',
      remediation: 'https://docs.example.com/rds-encryption',
    });
  });

  it('keeps the address as it is written, and drops the slash before the path', () => {
    expect(findings[2]).toMatchObject({
      resource: 'module.archive.aws_s3_bucket.this[0]',
      file: 'modules/storage/main.tf',
    });
    expect(findings[3]).toMatchObject({ file: 'network.tf', line: 1 });
    expect(findings[4]).toMatchObject({ resource: 'AWS::SQS::Queue.WaitingList', attribute: 'KmsMasterKeyId' });
  });

  it('cleans the evaluated keys', () => {
    expect(findings[2]?.attribute).toEqual(['versioning.enabled', 'versioning_configuration.status']);
  });

  it('has no severity without a licence, and no end line before the start line', () => {
    expect(findings[0]).not.toHaveProperty('severity');
    expect(findings[3]).not.toHaveProperty('end_line');
  });

  it("knows a category from the platform's id", () => {
    expect(findings[3]?.type).toBe('network');
  });

  it("does not read a secret's hash as a resource", () => {
    expect(findings[5]).toMatchObject({ type: 'secret', file: 'main.tf', line: 26 });
    expect(findings[5]).not.toHaveProperty('resource');
  });

  it('is one object, the summary of an empty run, or the checks alone', () => {
    const check = { check_id: 'CKV_AWS_1', check_name: 'x', check_result: { result: 'FAILED' } };
    const passed = { check_id: 'CKV_AWS_2', check_name: 'y', check_result: { result: 'PASSED' } };
    const summary = {
      passed: 0,
      failed: 0,
      skipped: 0,
      parsing_errors: 0,
      resource_count: 0,
      checkov_version: '3.2.0',
    };
    for (const [value, count] of [
      [{ check_type: 'terraform', results: { failed_checks: [check] }, summary }, 1],
      [summary, 0],
      [[check, passed], 1],
      [{ results: { passed_checks: [], failed_checks: [] } }, 0],
    ] as const) {
      expect(checkov.recognises(value)).toBe(true);
      expect(checkov.findings(value)).toHaveLength(count);
    }
  });

  it('refuses a damaged list rather than losing findings', () => {
    expect(() => checkov.findings({ results: { failed_checks: [null] } })).toThrow(
      'results.failed_checks[0] is empty, not an object',
    );
  });
});

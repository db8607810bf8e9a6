import { describe, expect, it } from 'vitest';
import { report, reportText } from '../../../../test/match-import/report-fixture.ts';
import { JudgeError } from '../../claims/judge-error.ts';
import { readReport } from '../../read-findings.ts';
import { cdkNag } from './cdk-nag.ts';

describe("cdk-nag's report of version 3", () => {
  const findings = cdkNag.findings(report('cdk-nag.json'));

  it('has a finding for each detail of a check, with the level left out, which is no severity', () => {
    expect(findings[0]).toEqual({
      source: 'cdk-nag',
      type: '',
      rule_id: 'AwsSolutions-IAM5[Action::s3:*]',
      title: "The ferry's role may do too much. (Action::s3:*)",
      evidence: 'Action::s3:*',
      resource: 'CrewRole',
    });
    expect(findings[1]).toMatchObject({ rule_id: 'AwsSolutions-IAM5[Resource::*]', resource: 'CrewRole' });
  });

  it('has one finding for a check of several packs, without the numbers of controls', () => {
    expect(findings[2]).toEqual({
      source: 'cdk-nag',
      type: '',
      rule_id: 'HIPAA.Security-S3BucketReplicationEnabled',
      rule_ids: ['PCI.DSS.321-S3BucketReplicationEnabled'],
      title: 'The bucket has no copy.',
      description: 'A copy in another place outlives a flood.',
      resource: 'Timetable',
    });
  });

  it('has what other plug-ins say about security under their own name, and nothing about style', () => {
    expect(findings.slice(3)).toEqual([
      {
        source: 'CloudFormation Validate',
        type: '',
        rule_id: 'W2501',
        title: 'MasterUserPassword: this password is written out',
        resource: 'Ledger',
        attribute: 'MasterUserPassword',
        remediation: 'Use a dynamic reference',
      },
    ]);
  });

  it('says which checks failed themselves', () => {
    expect(cdkNag.notJudged?.(report('cdk-nag.json'))).toEqual([
      { rule_id: 'AwsSolutions-EC23', resource: 'PierGroup' },
      { rule_id: 'AwsSolutions-EC23', resource: 'DeckGroup' },
    ]);
  });

  it('is refused when a plug-in failed, since its findings are missing', () => {
    const error = "Validation plugin 'AwsSolutions' failed: no such construct";
    const failed = { pluginName: 'AwsSolutions', conclusion: 'failure', metadata: { error }, violations: [] };
    const read = () => readReport({ version: '55.0.0', pluginReports: [failed] }, { name: 'validation-report.json' });
    expect(read).toThrow(JudgeError);
    expect(read).toThrow(`validation-report.json: a plug-in of the CDK failed`);
    expect(read).toThrow('no such construct');
  });

  it('is read in the form of older versions of the CDK, too', () => {
    const construct = {
      constructPath: 'Ferry/Template/Timetable',
      resourceLogicalId: 'N/A',
      locations: ['Properties'],
    };
    const violation = { ruleName: 'AwsSolutions-S1', description: 'No log.', violatingResources: [construct] };
    const summary = { status: 'failure', pluginName: 'AwsSolutions' };
    expect(
      readReport({ title: 'Validation Report', pluginReports: [{ summary, violations: [violation] }] }).findings,
    ).toEqual([{ source: 'cdk-nag', type: '', rule_id: 'AwsSolutions-S1', title: 'No log.', resource: 'Timetable' }]);
  });

  it('without any violation is a report without findings', () => {
    expect(readReport({ version: '55.0.0', title: 'Validation Report', pluginReports: [] })).toEqual({
      findings: [],
      notJudged: [],
    });
  });
});

describe("cdk-nag's report of version 2", () => {
  it('has neither what passed nor what was suppressed', () => {
    expect(readReport(reportText('cdk-nag-old.json'))).toEqual({
      findings: [
        {
          source: 'cdk-nag',
          type: '',
          rule_id: 'NIST.800.53.R5-S3BucketVersioningEnabled',
          title: 'The bucket forgets its former versions.',
          resource: 'Timetable',
        },
      ],
      notJudged: [{ rule_id: 'NIST.800.53.R5-EC2RestrictedSSH', resource: 'PierGroup' }],
    });
  });

  it('is read from CSV in the same way, and several files of it in one', () => {
    const text = reportText('cdk-nag.csv');
    const { findings, notJudged } = readReport(text);
    expect(findings).toEqual(
      Array.from({ length: 2 }, () => ({
        source: 'cdk-nag',
        type: '',
        rule_id: 'AwsSolutions-IAM5',
        title: `The ferry's "crew" may do too much, and everywhere.`,
        resource: 'CrewRole',
      })),
    );
    expect(notJudged).toEqual([{ rule_id: 'AwsSolutions-EC23', resource: 'PierGroup' }]);
    expect(readReport(`${text}${text.replaceAll('CrewRole', 'GuestRole')}`).findings).toHaveLength(4);
  });

  it.each([
    ['a row that is cut off', '"AwsSolutions-S1","Ferry/Template', ':2:19: this quote is never closed'],
    ['a row that lacks values', '"AwsSolutions-S1","Ferry"\n', ':2:1: this row has 2 values'],
  ])('with %s is refused with its place', (_, row, message) => {
    const [header = ''] = reportText('cdk-nag.csv').split('\n');
    expect(() => readReport(`${header}\n${row}`, { name: 'nag.csv' })).toThrow(`nag.csv${message}`);
  });

  it.each(['{"lines": []}', 'Rule ID,Resource ID,Compliance,Exception Reason,Rule Level,Rule Info\n'])(
    'of a pack that had nothing to check is no result: %s',
    (text) => expect(() => readReport(text)).toThrow('looked at nothing'),
  );
});

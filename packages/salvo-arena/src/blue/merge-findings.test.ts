import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../match/claims/finding.ts';
import { mergeFindings } from './merge-findings.ts';

const MODEL = [
  {
    type: 'encryption',
    resource: 'aws_s3_bucket.data',
    severity: 'high',
    title: 'Bucket without server-side encryption',
    description: 'Objects are stored in plain text.',
    source: 'llm:m',
  },
  {
    type: 'network',
    resource: 'aws_security_group.web',
    severity: 'medium',
    title: 'SSH open to the world',
    description: 'Port 22 is open to 0.0.0.0/0.',
    source: 'llm:m',
  },
];
const TOOL = [
  {
    source: 'checkov',
    rule_id: 'CKV_AWS_24',
    title: 'Ensure no security groups allow ingress from 0.0.0.0:0 to port 22',
    resource: 'aws_security_group.web',
    severity: 'high',
    file: 'main.tf',
    line: 20,
  },
  {
    source: 'checkov',
    rule_id: 'CKV_AWS_21',
    title: 'Ensure all data stored in the S3 bucket have versioning enabled',
    resource: 'aws_s3_bucket.data',
  },
];

describe('findings of several lists', () => {
  it('are joined when they are about the same flaw, and kept otherwise', () => {
    const groups = mergeFindings([MODEL, TOOL]);
    expect(groups.map(({ finding, reporters, count }) => [finding.title, [...reporters], count])).toEqual([
      ['Bucket without server-side encryption', [0], 1],
      ['SSH open to the world', [0, 1], 2],
      ['Ensure all data stored in the S3 bucket have versioning enabled', [1], 1],
    ]);
    expect(groups[1]?.finding).toMatchObject({
      source: 'llm:m+checkov',
      severity: 'high',
      rule_id: 'CKV_AWS_24',
      line: 20,
    });
  });

  it('are not joined when the resources differ', () => {
    const [first] = MODEL;
    const elsewhere = { ...first, resource: 'aws_s3_bucket.logs' };
    expect(mergeFindings([[first ?? {}], [elsewhere]])).toHaveLength(2);
  });

  it('of one list are never joined with each other', () => {
    expect(mergeFindings([[...MODEL, ...MODEL]])).toHaveLength(4);
    expect(mergeFindings([MODEL, [...MODEL, ...MODEL]])).toHaveLength(4);
  });

  it('are unchanged when all lists are equal', () => {
    const groups = mergeFindings([MODEL, MODEL, MODEL]);
    expect(groups.map(({ count }) => count)).toEqual([3, 3]);
  });

  it('may be empty', () => {
    expect(mergeFindings([])).toEqual([]);
    expect(mergeFindings([[], TOOL, []])).toHaveLength(2);
  });
});

/** What two reports of one flaw have in common, so that they are merged. */
const FLAW = {
  type: 'iam',
  title: 'Wildcard',
  resource: 'aws_iam_policy.p',
  description: 'The policy allows all actions.',
};

function joinFindings(first: Finding, second: Finding): Finding {
  const [group, ...others] = mergeFindings([[{ ...FLAW, ...first }], [{ ...FLAW, ...second }]]);
  expect(others).toEqual([]);
  return group?.finding ?? expect.unreachable('nothing was merged');
}

describe('two findings of one flaw', () => {
  it('are joined to the first, with fields that only the second has', () => {
    const joined = joinFindings(
      { type: 'iam', title: 'Wildcard', resource: '', source: 'llm:m', rule_id: 'A' },
      {
        type: 'x',
        title: 'Other',
        resource: 'aws_iam_policy.p',
        remediation: 'Narrow it.',
        source: 'kics',
        rule_id: 'B',
        rule_ids: ['A'],
      },
    );
    expect(joined).toEqual({
      ...FLAW,
      type: 'iam',
      title: 'Wildcard',
      resource: 'aws_iam_policy.p',
      remediation: 'Narrow it.',
      source: 'llm:m+kics',
      rule_id: 'A',
      rule_ids: ['B'],
      confidence: 0.75,
    });
  });

  it('have the worse severity of the two', () => {
    expect(joinFindings({ severity: 'low' }, { severity: 'CRITICAL' }).severity).toBe('critical');
    expect(joinFindings({ severity: 'high' }, { severity: 'info' }).severity).toBe('high');
    expect(joinFindings({}, { severity: 'low' }).severity).toBe('low');
    expect(joinFindings({ severity: 'odd' }, {}).severity).toBe('odd');
  });

  it('have the place of the first if it has a line, otherwise of the second', () => {
    const second = { file: 'b.tf', line: 7, end_line: 9 };
    expect(joinFindings({ file: 'a.tf', line: 3 }, second)).toMatchObject({ file: 'a.tf', line: 3 });
    expect(joinFindings({ file: 'a.tf', line: 3 }, second)).not.toHaveProperty('end_line');
    expect(joinFindings({ file: 'a.tf' }, second)).toMatchObject(second);
    expect(joinFindings({ file: 'a.tf' }, { file: 'b.tf' })).toMatchObject({ file: 'a.tf' });
  });

  it('have a higher confidence than either alone, at most 1', () => {
    const confidence = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(confidence, confidence, (a, b) => {
        const joined = joinFindings({ confidence: a }, { confidence: b }).confidence ?? 0;
        expect(joined).toBeGreaterThanOrEqual(Math.max(a, b) - 0.0001);
        expect(joined).toBeLessThanOrEqual(1);
      }),
    );
  });
});

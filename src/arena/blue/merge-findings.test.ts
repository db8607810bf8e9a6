import { describe, expect, it } from 'vitest';
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

describe('findings of several', () => {
  it('are one for each flaw: what two report is joined, what one reports stays', () => {
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

  it('are not joined when one flaw is of two resources', () => {
    const [first] = MODEL;
    const elsewhere = { ...first, resource: 'aws_s3_bucket.logs' };
    expect(mergeFindings([[first ?? {}], [elsewhere]])).toHaveLength(2);
  });

  it('of one list are never joined with each other', () => {
    expect(mergeFindings([[...MODEL, ...MODEL]])).toHaveLength(4);
    expect(mergeFindings([MODEL, [...MODEL, ...MODEL]])).toHaveLength(4);
  });

  it('are the same when they are all the same', () => {
    const groups = mergeFindings([MODEL, MODEL, MODEL]);
    expect(groups.map(({ count }) => count)).toEqual([3, 3]);
  });

  it('may be none', () => {
    expect(mergeFindings([])).toEqual([]);
    expect(mergeFindings([[], TOOL, []])).toHaveLength(2);
  });
});

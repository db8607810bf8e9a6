import { describe, expect, it } from 'vitest';
import { pairFindings } from './pair-findings.ts';

const unencrypted = { type: 'encryption', resource: 'aws_s3_bucket.a', title: 'The bucket is not encrypted' };
const open = { type: 'network', resource: 'aws_security_group.b', title: 'SSH is open to 0.0.0.0/0' };

describe('pairFindings', () => {
  it('pairs findings that report the same flaw, by their indices', () => {
    const other = { ...unencrypted, title: 'S3 bucket has no encryption at rest' };
    expect([...pairFindings([open, unencrypted], [other])]).toEqual([[0, 1]]);
  });

  it('pairs each finding at most once', () => {
    expect(pairFindings([open], [open, open]).size).toBe(1);
  });

  it('pairs nothing when a list is empty or the flaws differ', () => {
    expect(pairFindings([], [open]).size).toBe(0);
    expect(pairFindings([open], [unencrypted]).size).toBe(0);
  });
});

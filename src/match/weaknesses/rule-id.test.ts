import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalRuleId, ruleIdForms } from './rule-id.ts';

describe('normalRuleId', () => {
  it.each([
    ['CKV_AWS_19', 'ckv-aws-19'],
    ['AVD-AWS-0088', 'aws-0088'],
    ['avd_aws_0088', 'aws-0088'],
    ['S3_BUCKET_LOGGING_ENABLED', 's3-bucket-logging-enabled'],
  ])('reads %s as %s', (id, normal) => {
    expect(normalRuleId(id)).toBe(normal);
  });

  it('is the same for a normal id', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), (id) => {
        const normal = normalRuleId(`x${id}`);
        expect(normalRuleId(normal)).toBe(normal);
      }),
    );
  });
});

describe('ruleIdForms', () => {
  it('has the whole text first, then its parts, then the last names of dotted paths', () => {
    expect(ruleIdForms('CKV_AWS_19: x')).toEqual(['ckv-aws-19: x', 'ckv-aws-19', 'x', 'ckv-aws-19', 'x']);
    expect(ruleIdForms('terraform.aws.rule-x')).toEqual(['terraform.aws.rule-x', 'terraform.aws.rule-x', 'rule-x']);
  });

  it('finds the id at the end of a link, with or without a slash behind it', () => {
    expect(ruleIdForms('https://example.com/misconfig/AVD-AWS-0088/')).toContain('aws-0088');
  });

  it('does not look into long texts', () => {
    expect(ruleIdForms(`CKV_AWS_19 ${'x'.repeat(300)}`)).toEqual([]);
  });

  it('copes with any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(ruleIdForms(text)).not.toContain('');
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinFindings } from './join-findings.ts';

describe('two findings of one flaw', () => {
  it('are the first, with what only the second says', () => {
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

  it('are as severe as the worse of them', () => {
    expect(joinFindings({ severity: 'low' }, { severity: 'CRITICAL' }).severity).toBe('critical');
    expect(joinFindings({ severity: 'high' }, { severity: 'info' }).severity).toBe('high');
    expect(joinFindings({}, { severity: 'low' }).severity).toBe('low');
    expect(joinFindings({ severity: 'odd' }, {}).severity).toBe('odd');
  });

  it('are in one place: of the first if that has a line, or else of the second', () => {
    const second = { file: 'b.tf', line: 7, end_line: 9 };
    expect(joinFindings({ file: 'a.tf', line: 3 }, second)).toMatchObject({ file: 'a.tf', line: 3 });
    expect(joinFindings({ file: 'a.tf', line: 3 }, second)).not.toHaveProperty('end_line');
    expect(joinFindings({ file: 'a.tf' }, second)).toMatchObject(second);
    expect(joinFindings({ file: 'a.tf' }, { file: 'b.tf' })).toMatchObject({ file: 'a.tf' });
  });

  it('are surer than either alone, and never more than sure', () => {
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

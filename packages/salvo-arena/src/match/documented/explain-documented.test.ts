import { describe, expect, it } from 'vitest';
import { readClaim } from '../claims/read-claim.ts';
import { createDocumentedMatcher } from './documented-matcher.ts';

function reasons(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, string> {
  const factors = createDocumentedMatcher([readClaim(a)], [readClaim(b)]).explain(0, 0);
  return Object.fromEntries(factors.map(({ name, points, reason }) => [name, `${points}: ${reason}`]));
}

describe('the explanation of a documented score', () => {
  it('says in words what each factor gave', () => {
    expect(
      reasons(
        { type: 'encryption', title: 'Bucket unencrypted at rest', resource: 'aws_s3_bucket.data', severity: 'high' },
        { type: 'kms', title: 'Bucket encryption', resource: 'data', severity: 'HIGH' },
      ),
    ).toEqual({
      category: '0.3: both are about encryption',
      resource: '0.25: the same resource, aws_s3_bucket.data',
      keywords: '0.125: 2 of 4 words in common: encryption, bucket',
      severity: '0.2: the same severity, high',
    });
  });

  it('says what differs', () => {
    expect(
      reasons(
        { type: 'access_control', resource: 'aws_s3_bucket.data', severity: 'high' },
        { type: 'network', resource: 'aws_s3_bucket.logs', severity: 'medium' },
      ),
    ).toEqual({
      category: '0: about access control against network',
      resource: '0: different resources, aws_s3_bucket.data against aws_s3_bucket.logs',
      keywords: '0: no words in common',
      severity: '0: severity high against medium',
    });
  });

  it('says what a side does not state', () => {
    expect(reasons({ resource: 'N/A' }, { type: 'network', resource: 'aws_lb.web', severity: 'low' })).toEqual({
      category: '0: one side has no known category',
      resource: '0: one side names no resource',
      keywords: '0: one side says nothing in words',
      severity: '0: one side states no severity',
    });
  });

  it('names a type that belongs to no category', () => {
    expect(reasons({ type: 'hardCoded secret' }, { type: 'hard_coded_secret' }).category).toBe(
      '0.3: both are of the type hardcoded secret',
    );
    expect(reasons({ type: 'secret' }, { type: 'iam' }).category).toBe('0: about secret against iam');
  });

  it('shortens texts and puts them on one line', () => {
    const resource = `x\ny${'z'.repeat(500)}`;
    const words = Array.from({ length: 12 }, (_, n) => `word${n}`).join(' ');
    const shown = reasons({ resource: [resource], title: words }, { resource: [resource], title: words });
    expect(shown.resource?.length).toBeLessThan(130);
    expect(shown.resource).not.toContain('\n');
    expect(shown.keywords).toMatch(/word7, and 4 more$/);
  });
});

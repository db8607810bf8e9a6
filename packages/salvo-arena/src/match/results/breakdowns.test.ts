import { describe, expect, it } from 'vitest';
import { sampleClaim } from '../../../test/match/sample-claim.ts';
import type { Claim } from '../claims/claim.ts';
import { breakdownsOf } from './breakdowns.ts';

const counted = (changes: Partial<Claim>, { found = false, difficulty = '', technique = '' } = {}) => ({
  claim: sampleClaim(changes),
  found,
  difficulty,
  technique,
});

describe('breakdowns', () => {
  it('count every vulnerability once, and those found among them', () => {
    const { severity } = breakdownsOf([
      counted({ severity: 'high' }, { found: true }),
      counted({ severity: 'high' }),
      counted({ severity: null }, { found: true }),
    ]);
    expect(severity).toEqual({
      high: { vulnerabilities: 2, found: 1, recall: 0.5 },
      unstated: { vulnerabilities: 1, found: 1, recall: 1 },
    });
  });

  it('use the difficulty and technique of the manifest, in lower case', () => {
    const { difficulty, technique } = breakdownsOf([
      counted({}, { difficulty: 'Easy', technique: 'Hidden default' }),
      counted({}, { difficulty: 'easy' }),
    ]);
    expect(Object.keys(difficulty)).toEqual(['easy']);
    expect(Object.keys(technique)).toEqual(['hidden default', 'unstated']);
  });

  it.each([
    [{ type: 'encryption' }, 'encryption'],
    [{ type: 'Encryption-At-Rest', description: 'public bucket' }, 'encryption'],
    [{ type: 'public_access' }, 'access_control'],
    [{ type: 'Typo Squatting' }, 'typo squatting'],
    [{ type: 'hardcoded_secret', description: 'an IAM role' }, 'hardcoded_secret'],
    [{ type: '', description: 'The security group is open.' }, 'network'],
    [{ type: '', description: 'Something odd.' }, 'unstated'],
  ])('put %j under %s', (claim, category) => {
    expect(Object.keys(breakdownsOf([counted(claim)]).category)).toEqual([category]);
  });

  it("accept a type with the name of an object's method", () => {
    const { category } = breakdownsOf([counted({ type: '__proto__' }), counted({ type: 'constructor' })]);
    expect(Object.keys(category)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(category)).toBe(Object.prototype);
  });

  it('are empty without vulnerabilities', () => {
    expect(breakdownsOf([])).toEqual({ category: {}, severity: {}, difficulty: {}, technique: {} });
  });
});

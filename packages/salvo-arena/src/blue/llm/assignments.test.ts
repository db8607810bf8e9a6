import { describe, expect, it } from 'vitest';
import { reviewAssignments } from './assignments.ts';
import { FRAMEWORKS, TECHNIQUES } from './technique.ts';

describe('assignments', () => {
  it('exist for every technique and every framework, with nothing left to fill in', () => {
    const all = TECHNIQUES.flatMap((technique) =>
      FRAMEWORKS.flatMap((framework) => reviewAssignments({ technique, framework, category: 'encryption' })),
    );
    for (const text of all) expect(text).not.toMatch(/\{\w+\}/);
    expect(new Set(all).size).toBe(TECHNIQUES.length - 1 + FRAMEWORKS.length);
  });

  it('name what is asked for', () => {
    expect(reviewAssignments({ technique: 'targeted', category: 'iam' })[0]).toContain('one kind only: iam');
    expect(reviewAssignments({ technique: 'compliance', framework: 'hipaa' })[0]).toContain('Health data');
    expect(reviewAssignments({ technique: 'threat_model' })[0]).toContain('elevation of privilege');
  });

  it('are one for each specialist', () => {
    const all = reviewAssignments({ specialists: true });
    expect(all).toHaveLength(4);
    expect(reviewAssignments({ specialists: ['iam', 'network', 'iam'] })).toHaveLength(2);
  });

  it('that cannot be carried out are refused', () => {
    expect(() => reviewAssignments({ technique: 'targeted' })).toThrow(/needs a category/);
    expect(() => reviewAssignments({ specialists: ['networks'] })).toThrow(/did you mean "network"\?/);
    expect(() => reviewAssignments({ specialists: [] })).toThrow(/empty/);
    expect(() => reviewAssignments({ combine: 'vote' })).toThrow(/ensemble is needed to vote/);
    // @ts-expect-error what a user of JavaScript may write
    expect(() => reviewAssignments({ technique: 'quick' })).toThrow(/no technique "quick"/);
  });
});

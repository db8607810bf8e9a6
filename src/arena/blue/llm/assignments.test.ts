import { describe, expect, it } from 'vitest';
import { assignmentsOf } from './assignments.ts';
import { loadAssignments } from './prompts.ts';
import { FRAMEWORKS, TECHNIQUES } from './technique.ts';

describe('assignments', () => {
  it('exist for every technique and every framework, with nothing left to fill in', () => {
    const all = TECHNIQUES.flatMap((technique) =>
      FRAMEWORKS.flatMap((framework) => assignmentsOf({ technique, framework, category: 'encryption' })),
    );
    for (const text of all) expect(text).not.toMatch(/\{\w+\}/);
    expect(new Set(all).size).toBe(TECHNIQUES.length - 1 + FRAMEWORKS.length);
  });

  it('name what is asked for', () => {
    expect(assignmentsOf({ technique: 'targeted', category: 'iam' })[0]).toContain('one kind only: iam');
    expect(assignmentsOf({ technique: 'compliance', framework: 'hipaa' })[0]).toContain('Health data');
    expect(assignmentsOf({ technique: 'threat_model' })[0]).toContain('elevation of privilege');
  });

  it('are one for each specialist', () => {
    const all = assignmentsOf({ specialists: true });
    expect(all).toHaveLength(Object.keys(loadAssignments().specialists).length);
    expect(assignmentsOf({ specialists: ['iam', 'network', 'iam'] })).toHaveLength(2);
  });

  it('that nobody can carry out are refused', () => {
    expect(() => assignmentsOf({ technique: 'targeted' })).toThrow(/needs a category/);
    expect(() => assignmentsOf({ specialists: ['networks'] })).toThrow(/did you mean "network"\?/);
    expect(() => assignmentsOf({ specialists: [] })).toThrow(/empty/);
    expect(() => assignmentsOf({ combine: 'vote' })).toThrow(/nobody to vote with/);
    // @ts-expect-error what a user of JavaScript may write
    expect(() => assignmentsOf({ technique: 'quick' })).toThrow(/no technique "quick"/);
  });
});

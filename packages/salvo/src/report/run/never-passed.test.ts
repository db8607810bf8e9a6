import { describe, expect, it } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import { neverPassedLine } from './never-passed.ts';

const never = (assertion_id: string, change: { trials?: number; counts?: boolean } = {}) => {
  const plain = { assertion_type: 'output_contains', trials: 3, counts: true };
  return { ...plain, assertion_id, ...change };
};
const lineOf = (never_passed: ReturnType<typeof never>[], verdict: 'PASS' | 'FAIL' = 'PASS') =>
  neverPassedLine(sampleSummary({ never_passed, verdict }));

describe('what never passed', () => {
  it('is named with the trials, and marked if it does not count', () => {
    expect(lineOf([never('polite'), never('short', { counts: false })])).toBe(
      'never passed: polite (0 of 3), short (0 of 3; weight 0, so it does not count)',
    );
    expect(lineOf([])).toBeNull();
  });

  it('is named whatever the verdict, but a single failed trial is no news', () => {
    expect(lineOf([never('polite')], 'FAIL')).toBe('never passed: polite (0 of 3)');
    expect(lineOf([never('polite', { trials: 1 })], 'FAIL')).toBeNull();
    expect(lineOf([never('polite', { trials: 1 })])).toBe('never passed: polite (0 of 1)');
  });

  it('is cut after some names, and harmless whatever it is called', () => {
    const many = Array.from({ length: 7 }, (_, index) => never(`check ${index}`));
    expect(lineOf(many)).toMatch(/check 4 \(0 of 3\), and 2 more$/);
    expect(lineOf([never('a\u001b[31mb')])).not.toContain('\u001b');
  });
});

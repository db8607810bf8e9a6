import { describe, expect, test } from 'vitest';
import { observedRisk } from './observed-risk.ts';

const alike = (scenarios: number, passed: number, total: number, cases?: number) =>
  Array.from({ length: scenarios }, () => ({ base: { passed, total }, next: { passed, total }, cases }));

describe('observedRisk', () => {
  test.each([
    { scenarios: 1, passed: 93, total: 100, at: 0, of: 'one scenario with many trials' },
    { scenarios: 1, passed: 18.6, total: 20, at: 0.06, of: 'one scenario with 20 trials' },
    { scenarios: 1, passed: 2.79, total: 3, at: 0.16, of: 'one scenario with 3 trials' },
    { scenarios: 30, passed: 2.79, total: 3, at: 0.013, of: '30 scenarios with 3 trials' },
  ])('an unchanged agent of 93% is red in $at of the runs: $of', ({ scenarios, passed, total, at }) => {
    const { false_reds } = observedRisk({ scenarios: alike(scenarios, passed, total), margin: 0.1 });
    expect(Math.abs(false_reds - at)).toBeLessThan(0.01);
  });

  test('the number of trials that brings it to 5%', () => {
    expect(observedRisk({ scenarios: alike(1, 2.79, 3), margin: 0.1 }).trials_each).toBe(30);
    expect(observedRisk({ scenarios: alike(1, 27.9, 30, 10), margin: 0.1 }).trials_each).toBeNull();
    expect(observedRisk({ scenarios: alike(1, 15, 30, 10), margin: 0.1 })).toMatchObject({ trials_each: 20 });
  });

  test('an agent that is estimated from both runs: 3 of 3 and then 2 of 3 is one of 83%', () => {
    const scenarios = [{ base: { passed: 3, total: 3 }, next: { passed: 2, total: 3 } }];
    const { false_reds } = observedRisk({ scenarios, margin: 0.1 });
    expect(false_reds).toBeGreaterThan(0.25);
    expect(false_reds).toBeLessThan(0.3);
  });

  test('the same design has the same risk', () => {
    const options = { scenarios: alike(5, 2, 3), margin: 0.1 };
    expect(observedRisk(options)).toEqual(observedRisk(options));
  });

  test('without a scored scenario there is no risk', () => {
    expect(observedRisk({ scenarios: [], margin: 0.1 })).toEqual({ false_reds: 0, trials_each: null });
  });
});

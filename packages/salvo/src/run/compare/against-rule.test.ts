import { describe, expect, test } from 'vitest';
import { answerOf, type ObservedScenario, observedRule, trialsToDecide } from './against-rule.ts';
import type { Conclusion } from './comparison.ts';

describe('answerOf', () => {
  const found = (conclusion: Conclusion, value: number, interval: [number, number] | null) => ({
    conclusion,
    difference: { value, interval },
  });

  test('a scenario is worse if the test says so', () => {
    expect(answerOf(found('worse', -0.03, [-0.05, -0.01]), null)).toBe('worse');
  });

  test('a significant drop within --max-drop is not called worse', () => {
    expect(answerOf(found('worse', -0.03, [-0.05, -0.01]), 0.05)).toBe('undecided');
    expect(answerOf(found('worse', -0.03, [-0.049, -0.01]), 0.05)).toBe('not_worse');
    expect(answerOf(found('worse', -0.06, [-0.09, -0.01]), 0.05)).toBe('worse');
  });

  test('a drop of exactly --max-drop is within it', () => {
    expect(answerOf(found('worse', 0.7 - 0.8, [-0.2, -0.01]), 0.1)).toBe('undecided');
  });

  test('a scenario is not worse by more than 10 points only if the interval excludes such a drop', () => {
    expect(answerOf(found('no_evidence', 0, [-0.09, 0.09]), null)).toBe('not_worse');
    expect(answerOf(found('no_evidence', 0, [-0.1, 0.1]), null)).toBe('undecided');
    expect(answerOf(found('no_evidence', 0, [-0.1, 0.1]), 0.15)).toBe('not_worse');
  });

  test('5 of 5, then 2 of 5, is undecided', () => {
    expect(answerOf(found('too_few_trials', -0.6, [-0.88, 0.03]), null)).toBe('undecided');
  });

  test('a difference without an interval is undecided', () => {
    expect(answerOf(found('too_few_trials', 0, null), null)).toBe('undecided');
  });

  test('what cannot be compared has no answer', () => {
    expect(answerOf({ conclusion: 'not_comparable', difference: null }, null)).toBe('not_comparable');
  });
});

describe('observedRule', () => {
  const scenario = (before: number, now: number, total: number): ObservedScenario => ({
    base: { passed: before, total },
    next: { passed: now, total },
  });
  const rule = (scenarios: ObservedScenario[], margin = 0.1) => observedRule({ scenarios, margin });

  test('it is red if the mean rate fell by more than the margin', () => {
    expect(rule([scenario(20, 17, 20)])).toMatchObject({ red: true, why: 'mean_fell', base_rate: 1, next_rate: 0.85 });
    expect(rule([scenario(20, 18, 20)])).toMatchObject({ red: false, why: null });
  });

  test('a fall by exactly the margin is not more than it, whatever the rounding', () => {
    for (let before = 1; before <= 10; before += 1) expect(rule([scenario(before, before - 1, 10)]).red).toBe(false);
  });

  test('scenarios weigh the same, however many trials they have', () => {
    expect(rule([scenario(100, 100, 100), scenario(4, 3, 4)])).toMatchObject({ why: 'mean_fell', next_rate: 0.875 });
  });

  test('cases weigh the same if their rate is given', () => {
    const sides = { base: { passed: 6, total: 6, rate: 1 }, next: { passed: 5, total: 6, rate: 0.5 } };
    expect(rule([sides])).toMatchObject({ why: 'mean_fell', next_rate: 0.5 });
  });

  test('one scenario of thirty that passes in no trial any more is red', () => {
    const scenarios = [...Array.from({ length: 29 }, () => scenario(3, 3, 3)), scenario(3, 0, 3)];
    expect(rule(scenarios)).toMatchObject({ red: true, why: 'one_died', died: [29] });
  });

  test('one that passed less than half of its trials before may pass none', () => {
    const scenarios = [...Array.from({ length: 29 }, () => scenario(3, 3, 3)), scenario(1, 0, 3)];
    expect(rule(scenarios)).toMatchObject({ red: false, died: [] });
  });

  test('where luck would do this to one of so many, it is not red', () => {
    const scenarios = [...Array.from({ length: 29 }, () => scenario(2, 2, 3)), scenario(3, 0, 3)];
    expect(rule(scenarios)).toMatchObject({ red: false, why: null });
  });

  test('luck is judged by the trials of the scenario that died', () => {
    const scenarios = [...Array.from({ length: 29 }, () => scenario(1, 1, 1)), scenario(10, 0, 20)];
    expect(rule(scenarios)).toMatchObject({ why: 'one_died' });
    expect(rule([...scenarios.slice(0, 29), scenario(1, 0, 2)])).toMatchObject({ why: 'one_died' });
  });

  test('without a scored scenario nothing is red', () => {
    expect(rule([])).toEqual({ red: false, why: null, base_rate: null, next_rate: null, died: [] });
    expect(rule([scenario(0, 0, 0)]).red).toBe(false);
  });
});

describe('trialsToDecide', () => {
  test('the interval has to become so narrow that an unchanged agent is shown in four of five comparisons', () => {
    const difference = { value: 0, interval: [-0.1, 0.1] as [number, number] };
    // (1.96 + 0.84)^2 / 1.96^2 times as many.
    expect(trialsToDecide({ difference, trials: 100 }, 0.1)).toBe(205);
    expect(trialsToDecide({ difference, trials: 100 }, 0.05)).toBe(818);
  });

  test('without an interval nothing can be said', () => {
    expect(trialsToDecide({ difference: { value: 0, interval: null }, trials: 1 }, 0.1)).toBeNull();
    expect(trialsToDecide({ difference: null, trials: 0 }, 0.1)).toBeNull();
  });
});

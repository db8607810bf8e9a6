import { describe, expect, it } from 'vitest';
import { simulateRuns } from '../../../../../bench/run-simulator.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { compareScenario } from '../compare/compare-scenario.ts';
import type { TrialFacts } from './plan.ts';
import { planScenario, planTogether, WORST_CASE } from './plan-scenario.ts';

const ALONE = { trials: 3, scenarios: 1 };
const effect = (size: number, power = 0.8) => ({ kind: 'effect', size, power }) as const;
const within = (pass_rate: number, between_cases = 0): TrialFacts => ({
  pass_rate,
  between_cases,
  within_cases: pass_rate * (1 - pass_rate) - between_cases,
});

describe('the trials that find a change', () => {
  it.each([
    ['one scenario without data', { cases: 1, alike: 0, rate: 0.8, drop: 0.3 }, within(0.8)],
    ['twenty cases that differ', { cases: 20, alike: 0.3, rate: 0.8, drop: 0.15 }, within(0.8, 0.3 * 0.16)],
  ])('reach the promised power when runs are compared: %s', (_, world, facts) => {
    const { trials_per_case } = planScenario(effect(world.drop), { facts, cases: world.cases, ...ALONE });
    const trials = trials_per_case ?? 0;
    const random = seededRandom(1, 'plan');
    const found = Array.from({ length: 150 }, () => {
      const { base, next } = simulateRuns({ ...world, trials }, random);
      return compareScenario(base, next).conclusion === 'worse';
    }).filter(Boolean).length;
    // 80% with the error of 150 simulations, and no more trials than needed.
    expect(found / 150).toBeGreaterThan(0.72);
    expect(found / 150).toBeLessThan(0.95);
  });

  it('are more for a smaller change, a higher power and more scenarios', () => {
    const trials = (size: number, power: number, scenarios = 1) =>
      planScenario(effect(size, power), { facts: within(0.8), cases: 1, trials: 3, scenarios }).trials_per_case ?? 0;
    expect(trials(0.1, 0.8)).toBeGreaterThan(2 * trials(0.2, 0.8));
    expect(trials(0.2, 0.95)).toBeGreaterThan(trials(0.2, 0.8));
    expect(trials(0.2, 0.8, 10)).toBeGreaterThan(trials(0.2, 0.8));
  });

  it('are not more than one of a case if all trials of many cases are the same: then more cases are needed', () => {
    const plan = planScenario(effect(0.1), { facts: within(0.8, 0.15), cases: 12, ...ALONE, isOneDraw: true });
    expect(plan).toMatchObject({ trials_per_case: null, trials_each: 1 });
    expect(plan.cases_needed).toBeGreaterThan(20);
  });

  it('count in a few cases, although all were the same: a changed rate within a case makes its answers vary', () => {
    const planned = { facts: within(0.8, 0.15), cases: 1, ...ALONE };
    expect(planScenario(effect(0.1), { ...planned, isOneDraw: true })).toEqual(planScenario(effect(0.1), planned));
  });

  it('are most in the worst case', () => {
    const trials = (facts: TrialFacts) => planScenario(effect(0.1), { facts, cases: 1, ...ALONE }).trials_per_case ?? 0;
    expect(trials(WORST_CASE)).toBeGreaterThan(trials(within(0.9)));
  });
});

describe('the trials that find a change of all scenarios together', () => {
  const together = (count: number, size = 0.1, power = 0.8) =>
    planTogether(
      { size, power },
      Array.from({ length: count }, () => ({ facts: within(0.8), cases: 1 })),
    ) ?? 0;

  it('are far fewer than a single scenario needs, and fewer the more scenarios there are', () => {
    const single = planScenario(effect(0.1), { facts: within(0.8), cases: 1, trials: 3, scenarios: 30 });
    expect(30 * together(30)).toBeLessThan(single.trials_per_case ?? 0);
    expect(together(30)).toBeLessThan(together(10));
    expect(together(10)).toBeLessThan(together(10, 0.05));
    expect(together(10)).toBeLessThan(together(10, 0.1, 0.95));
  });

  it('are enough for some outcome to be significant', () => {
    // One trial of each of three scenarios could at best give p = 2 / 2 ** 3.
    expect(together(3, 1)).toBeGreaterThan(1);
  });

  it('do not exist if every trial of many cases is the same', () => {
    const copies = Array.from({ length: 2 }, () => ({ facts: within(0.8), cases: 10, isOneDraw: true }));
    expect(planTogether({ size: 0.05, power: 0.8 }, copies)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import { passAtK, passHatK } from '../../stats/pass-at-k.ts';
import { runOverall } from './overall.ts';

/** A scenario in which so many of so many trials passed. */
function scenario(passed: number, total: number) {
  const curve = (chance: typeof passAtK) =>
    Object.fromEntries(Array.from({ length: total }, (_, k) => [`${k + 1}`, chance({ total, passed, k: k + 1 })]));
  return sampleSummary({
    trials_scored: total,
    trials_passed: passed,
    pass_rate: total === 0 ? null : passed / total,
    score_avg: total === 0 ? null : passed / total,
    pass_at_k: curve(passAtK),
    pass_hat_k: curve(passHatK),
  });
}

describe('runOverall', () => {
  it('weighs every scenario the same, however many trials it has', () => {
    const overall = runOverall([scenario(100, 100), scenario(1, 2)], 1);
    expect(overall).toMatchObject({ scenarios_scored: 2, pass_rate: 0.75, score_avg: 0.75 });
  });

  it('has the mean of pass^k and pass@k for every k that all scenarios have', () => {
    const overall = runOverall([scenario(3, 4), scenario(2, 3)], 1);
    expect(overall.pass_hat_k).toEqual({
      1: expect.closeTo((3 / 4 + 2 / 3) / 2),
      2: expect.closeTo((1 / 2 + 1 / 3) / 2),
      3: expect.closeTo((1 / 4 + 0) / 2),
    });
    expect(Object.keys(overall.pass_at_k)).toEqual(['1', '2', '3']);
  });

  it('has an interval around the pass rate, the same for the same seed', () => {
    const summaries = [scenario(10, 10), scenario(8, 10), scenario(3, 10), scenario(9, 10), scenario(10, 10)];
    const { pass_rate, pass_rate_ci } = runOverall(summaries, 7);
    expect(pass_rate).toBeCloseTo(0.8);
    expect(pass_rate_ci?.[0]).toBeLessThan(0.8);
    expect(pass_rate_ci?.[1]).toBeGreaterThan(0.8);
    expect(runOverall(summaries, 7)).toEqual(runOverall(summaries, 7));
  });

  it('has no interval for one scenario, and a wide one for few that are all alike', () => {
    expect(runOverall([scenario(5, 10)], 1).pass_rate_ci).toBeNull();
    const [low, high] = runOverall([scenario(10, 10), scenario(10, 10), scenario(10, 10)], 1).pass_rate_ci ?? [];
    expect(low).toBeLessThan(0.5);
    expect(high).toBe(1);
  });

  it('leaves out scenarios without scored trials, and knows nothing without any', () => {
    expect(runOverall([scenario(1, 2), scenario(0, 0)], 1)).toMatchObject({ scenarios_scored: 1, pass_rate: 0.5 });
    expect(runOverall([], null)).toEqual({
      scenarios_scored: 0,
      pass_rate: null,
      pass_rate_ci: null,
      score_avg: null,
      pass_at_k: {},
      pass_hat_k: {},
    });
  });

  it('has an interval of rates that holds the pass rate', () => {
    const trials = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(trials, { minLength: 1, maxLength: 8 }), fc.integer(), (list, seed) => {
        const summaries = list.map(([passed, total]) => scenario(Math.min(passed, total), total));
        const { pass_rate, pass_rate_ci } = runOverall(summaries, seed);
        const [low, high] = pass_rate_ci ?? [pass_rate, pass_rate];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(pass_rate ?? 2);
        expect(high).toBeGreaterThanOrEqual(pass_rate ?? -1);
      }),
      { numRuns: 30 },
    );
  });
});

import { describe, expect, test } from 'vitest';
import { type SimulatedRuns, simulateRuns } from '../bench/run-simulator.ts';
import { compareAll, compareScenario } from '../src/run/compare/compare-scenario.ts';
import { seededRandom } from '../src/stats/seeded-random.ts';

const SEEDS = 200;
/** Of 200 comparisons at 5%, more than 18 are called different in fewer than 1 of 100 such tests. */
const MOST_FALSE_ALARMS = 18;

const DESIGNS: SimulatedRuns[] = [
  { cases: 1, trials: 30, rate: 0.8, alike: 0 },
  { cases: 1, trials: 30, rate: 0.8, alike: 0, sameSeed: true },
  { cases: 4, trials: 10, rate: 0.8, alike: 0.5 },
  { cases: 40, trials: 1, rate: 0.8, alike: 0.5 },
  { cases: 40, trials: 3, rate: 0.8, alike: 0.5 },
  { cases: 40, trials: 3, rate: 0.8, alike: 0.3, ownCases: true },
];

function countConclusions(runs: SimulatedRuns, seeds = SEEDS) {
  const random = seededRandom('simulation', ...Object.values(runs).map(String));
  const counts = { better: 0, worse: 0, no_evidence: 0, too_few_trials: 0, not_comparable: 0 };
  for (let seed = 0; seed < seeds; seed += 1) {
    const { base, next } = simulateRuns(runs, random);
    counts[compareScenario(base, next).conclusion] += 1;
  }
  return counts;
}

describe('over 200 seeds', () => {
  test.each(DESIGNS)('two equal agents are called different in about 5% at most: %j', (design) => {
    const { better, worse } = countConclusions(design);
    expect(better + worse).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
  });

  test.each(DESIGNS)('a much worse agent is called worse, and never better: %j', (design) => {
    const { better, worse } = countConclusions({ ...design, drop: 0.45 }, 40);
    expect(better).toBe(0);
    expect(worse).toBeGreaterThan(34);
  });

  test('of four scenarios that are all equal, none is called different in about 95% of the comparisons', () => {
    const random = seededRandom('four scenarios');
    let alarms = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const pairs = Array.from({ length: 4 }, () =>
        simulateRuns({ cases: 1, trials: 20, rate: 0.5, alike: 0 }, random),
      );
      const found = compareAll(pairs).some(({ conclusion }) => conclusion === 'better' || conclusion === 'worse');
      if (found) alarms += 1;
    }
    expect(alarms).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
  });
});

test('the smallest detectable change is found in about four of five comparisons', () => {
  const design: SimulatedRuns = { cases: 40, trials: 3, rate: 0.8, alike: 0.5 };
  const { base, next } = simulateRuns(design, seededRandom('detectable'));
  const drop = compareScenario(base, next).smallest_detectable ?? 1;
  const { worse } = countConclusions({ ...design, drop });
  expect(drop).toBeLessThan(0.2);
  expect(worse).toBeGreaterThan(0.7 * SEEDS);
});

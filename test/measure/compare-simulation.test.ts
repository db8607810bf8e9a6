import { describe, expect, test } from 'vitest';
import { comparedScenarios, type SimulatedRuns, simulateRuns } from '../../bench/run-simulator.ts';
import { compareScenario } from '../../packages/salvo/src/run/compare/compare-scenario.ts';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';

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

/** Scenarios of which half pass about always, and half in half of the trials. */
function comparedTogether(
  { scenarios, trials, drop = 0 }: { scenarios: number; trials: number; drop?: number },
  seeds = SEEDS,
) {
  const random = seededRandom('together', String(scenarios), String(trials));
  const counts = { alarms: 0, worseAlone: 0, worseTogether: 0 };
  for (let seed = 0; seed < seeds; seed += 1) {
    const { alone, all } = comparedScenarios({ scenarios, trials, rates: [0.95, 0.5], drop }, random);
    if ([...alone, all?.conclusion].some((each) => each === 'better' || each === 'worse')) counts.alarms += 1;
    if (alone.includes('worse')) counts.worseAlone += 1;
    if (all?.conclusion === 'worse') counts.worseTogether += 1;
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

  test.each([
    { scenarios: 4, trials: 20 },
    { scenarios: 25, trials: 3 },
  ])('of $scenarios equal scenarios with $trials trials, nothing is called different in about 95%', (design) => {
    const { alarms } = comparedTogether(design);
    expect(alarms).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
  });

  test('25 scenarios that all fall by 20 points are worse together, which 3 trials of each could not show', () => {
    const { worseAlone, worseTogether } = comparedTogether({ scenarios: 25, trials: 3, drop: 0.2 }, 40);
    expect(worseAlone).toBe(0);
    expect(worseTogether).toBeGreaterThan(30);
  });
});

describe('an agent with short answers, whose right answers are all the same text', () => {
  test.each([20, 100])('is called worse after a fall from 100%% to 50%% with %i trials', (trials) => {
    const fallen = { cases: 1, trials, rate: 1, alike: 0, drop: 0.5, shortAnswers: true };
    expect(countConclusions(fallen, 40).worse).toBeGreaterThan(36);
  });

  test('is called worse over twenty scenarios that fall from 98% to 88%', () => {
    const random = seededRandom('short answers');
    const design = { scenarios: 20, trials: 10, rates: [0.98], drop: 0.1, shortAnswers: true };
    const found = Array.from({ length: 20 }, () => comparedScenarios(design, random).all?.conclusion);
    expect(found.filter((conclusion) => conclusion === 'worse').length).toBeGreaterThan(14);
  });

  test('is not called different by more than luck if nothing changed', () => {
    const { better, worse } = countConclusions({ cases: 1, trials: 20, rate: 0.9, alike: 0, shortAnswers: true });
    expect(better + worse).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
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

import type { ComparedRun } from '../packages/salvo/src/run/compare/comparable-trials.ts';
import { compareScenario } from '../packages/salvo/src/run/compare/compare-scenario.ts';
import { mean, quantile } from '../packages/salvo/src/stats/mean.ts';
import { normalTail } from '../packages/salvo/src/stats/normal.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { DifferenceCoverage } from './compare/difference-coverage.ts';
import { observedReds } from './compare/observed-reds.ts';
import { powerByFormula } from './compare/power-formula.ts';
import { scoreAlarms } from './compare/score-alarms.ts';
import { share } from './compare/share.ts';
import { comparedScenarios, type SimulatedRuns, type SimulatedScenarios, simulateRuns } from './run-simulator.ts';

/** `npm run bench compare -- --long` simulates more. */
const SEEDS = process.argv.includes('--long') ? 2000 : 400;
const RATES = [0.5, 0.8, 0.95];
const DESIGNS: Omit<SimulatedRuns, 'rate'>[] = [
  { cases: 1, trials: 20, alike: 0 },
  { cases: 1, trials: 20, alike: 0, shortAnswers: true },
  { cases: 1, trials: 100, alike: 0 },
  { cases: 1, trials: 40, alike: 0, sameSeed: true },
  { cases: 5, trials: 10, alike: 0.3 },
  { cases: 10, trials: 5, alike: 0.3 },
  { cases: 40, trials: 1, alike: 0.3 },
  { cases: 40, trials: 5, alike: 0.3 },
  { cases: 40, trials: 5, alike: 0.3, shortAnswers: true },
  { cases: 40, trials: 5, alike: 0.3, ownCases: true },
  { cases: 200, trials: 3, alike: 0.5 },
];

/** Falls that a classifier may have: its right answers are all the same text. */
const CLASSIFIERS = [
  { rate: 1, after: 0.5, trials: 20 },
  { rate: 1, after: 0.5, trials: 100 },
  { rate: 0.99, after: 0.5, trials: 20 },
  { rate: 0.97, after: 0.6, trials: 50 },
  { rate: 0.95, after: 0.5, trials: 20 },
];

const MIXED = [0.95, 0.6];
const TOGETHER: SimulatedScenarios[] = [
  { scenarios: 5, trials: 10, rates: MIXED, drop: 0.15 },
  { scenarios: 20, trials: 3, rates: MIXED, drop: 0.15 },
  { scenarios: 20, trials: 10, rates: MIXED, drop: 0.15 },
  { scenarios: 50, trials: 3, rates: MIXED, drop: 0.15 },
  { scenarios: 20, trials: 10, rates: [0.98], drop: 0.1 },
  { scenarios: 20, trials: 10, rates: [0.98], drop: 0.1, shortAnswers: true },
  { scenarios: 20, trials: 5, rates: [0.98], drop: 0.15, shortAnswers: true },
];

/**
 * How often two runs of the same agent are called different, by `salvo compare` and by a z test over all trials; how
 * often an agent that lost what `smallest_detectable` promises to find is called worse; how often intervals of the
 * difference contain the truth; and what the rule for undecided scenarios does.
 */
export async function benchCompare(): Promise<string[]> {
  return [
    `${SEEDS} pairs of runs each; promised: different at most 5%, worse at most 5%, found at least 80%, covers at least 93%`,
    ...DESIGNS.flatMap((design) => RATES.flatMap((rate) => lines({ ...design, rate }))),
    ...CLASSIFIERS.map(classifier),
    ...TOGETHER.map(together),
    ...scoreAlarms(SEEDS),
    ...observedReds(SEEDS),
  ];
}

function lines(runs: SimulatedRuns): string[] {
  const { smallest, ...same } = compared(runs);
  const name = `${describe(runs)}, ${share(runs.rate)} pass`;
  const alarms = `called different ${share(same.different)}, worse ${share(same.worse)}, by a z test different ${share(same.zTest)}`;
  const first = `${name}: ${alarms}`;
  if (smallest >= runs.rate) return [`${first}; no drop is detectable`, `    unchanged: ${same.coverage}`];
  const fallen = { ...runs, drop: smallest };
  const found = compared(fallen);
  const power = runs.ownCases ? '' : ` (by a formula ${share(powerByFormula(fallen))})`;
  return [
    `${first}; a drop of ${share(smallest)} found ${share(found.worse)}${power}`,
    `    unchanged: ${same.coverage}`,
    `    after the drop: ${found.coverage}`,
  ];
}

function classifier({ rate, after, trials }: (typeof CLASSIFIERS)[number]): string {
  const fallen = { cases: 1, trials, rate, alike: 0, drop: rate - after };
  const [short, free] = [true, false].map((shortAnswers) => share(compared({ ...fallen, shortAnswers }).worse));
  return (
    `${trials} trials, from ${share(rate)} to ${share(after)}: found ${short} with equal answers, ${free} with free text ` +
    `(by a formula ${share(powerByFormula(fallen))})`
  );
}

/** How often several scenarios are called different, one of them or all together, and what a small drop of all shows. */
function together(design: SimulatedScenarios): string {
  const { scenarios, trials, rates, drop, shortAnswers } = design;
  const random = seededRandom('together', scenarios, trials, rates.join(), String(shortAnswers));
  const counts = { alarms: 0, worse: 0, alone: 0, all: 0, covered: 0 };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const same = comparedScenarios({ ...design, drop: 0 }, random);
    const found = [...same.alone, same.all?.conclusion];
    if (found.some((each) => each === 'better' || each === 'worse')) counts.alarms += 1;
    if (found.includes('worse')) counts.worse += 1;
    const worse = comparedScenarios(design, random);
    if (worse.alone.includes('worse')) counts.alone += 1;
    if (worse.all?.conclusion === 'worse') counts.all += 1;
    const [low, high] = worse.all?.difference.interval ?? [-1, 1];
    if (low <= -drop && -drop <= high) counts.covered += 1;
  }
  const of = (count: number) => share(count / SEEDS);
  return (
    `${scenarios} scenarios x ${trials} trials of ${rates.map(share).join(' and ')}${shortAnswers ? ', equal answers' : ''}: ` +
    `called different ${of(counts.alarms)}, worse ${of(counts.worse)}; a drop of ${share(drop)} in all of them found ` +
    `together ${of(counts.all)}, in one of them alone ${of(counts.alone)}; its interval covers ${of(counts.covered)}`
  );
}

function compared(runs: SimulatedRuns) {
  const random = seededRandom('compare', ...Object.values(runs).map(String));
  const counts = { different: 0, worse: 0, zTest: 0 };
  const smallest: number[] = [];
  const coverage = new DifferenceCoverage(runs);
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const simulated = simulateRuns(runs, random);
    const { base, next } = simulated;
    const { conclusion, smallest_detectable, difference } = compareScenario(base, next);
    if (conclusion === 'better' || conclusion === 'worse') counts.different += 1;
    if (conclusion === 'worse') counts.worse += 1;
    if (zTest(base, next) < 0.05) counts.zTest += 1;
    smallest.push(smallest_detectable ?? 1);
    coverage.add(simulated, difference?.interval);
  }
  return {
    different: counts.different / SEEDS,
    worse: counts.worse / SEEDS,
    zTest: counts.zTest / SEEDS,
    smallest: quantile(smallest, 0.5) ?? 1,
    coverage: coverage.text(),
  };
}

/** The p value that two pass rates have if every trial is counted as independent. */
function zTest(base: ComparedRun, next: ComparedRun): number {
  const rateOf = ({ trials }: ComparedRun) => mean(trials.map(({ passed }) => Number(passed))) ?? 0;
  const [a, b] = [rateOf(base), rateOf(next)];
  const both = (a + b) / 2;
  const error = Math.sqrt(both * (1 - both) * (1 / base.trials.length + 1 / next.trials.length));
  return error === 0 ? 1 : 2 * normalTail(Math.abs(a - b) / error);
}

function describe({ cases, trials, sameSeed, ownCases, shortAnswers }: SimulatedRuns): string {
  const size = cases === 1 ? `${trials} trials` : `${cases} cases x ${trials}`;
  const rest = [sameSeed && 'same seed', ownCases && 'other cases hard', shortAnswers && 'equal answers'];
  return [size, ...rest.filter((each) => typeof each === 'string')].join(', ');
}

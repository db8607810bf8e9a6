import type { ComparedRun } from '../src/run/compare/comparable-trials.ts';
import { compareScenario } from '../src/run/compare/compare-scenario.ts';
import { mean } from '../src/stats/mean.ts';
import { normalTail } from '../src/stats/normal.ts';
import { quantile } from '../src/stats/quantile.ts';
import { seededRandom } from '../src/stats/seeded-random.ts';
import { comparedScenarios, type SimulatedRuns, simulateRuns } from './run-simulator.ts';

const SEEDS = 400;
const RATES = [0.5, 0.8, 0.95];
const DESIGNS: Omit<SimulatedRuns, 'rate'>[] = [
  { cases: 1, trials: 20, alike: 0 },
  { cases: 1, trials: 100, alike: 0 },
  { cases: 1, trials: 40, alike: 0, sameSeed: true },
  { cases: 5, trials: 10, alike: 0.3 },
  { cases: 10, trials: 5, alike: 0.3 },
  { cases: 40, trials: 1, alike: 0.3 },
  { cases: 40, trials: 5, alike: 0.3 },
  { cases: 40, trials: 5, alike: 0.3, ownCases: true },
  { cases: 200, trials: 3, alike: 0.5 },
];

/** Scenarios of which half pass in 95% of the trials, and half in 60%. */
const TOGETHER = [
  { scenarios: 5, trials: 10 },
  { scenarios: 20, trials: 3 },
  { scenarios: 20, trials: 10 },
  { scenarios: 50, trials: 3 },
];
const DROP = 0.15;

/**
 * How often two runs of the same agent are called different, by `salvo compare` and by a z test over all trials; and how
 * often an agent that lost what `smallest_detectable` promises to find is called worse.
 */
export async function benchCompare(): Promise<string[]> {
  const lines: string[] = [];
  for (const design of DESIGNS) {
    for (const rate of RATES) {
      const same = falseAlarms({ ...design, rate });
      const found = worseFound({ ...design, rate }, same.smallest);
      lines.push(
        `${describe(design)}, ${share(rate)} pass: called different ${share(same.salvo)}, by a z test ${share(same.zTest)}; ` +
          (found === null ? 'no drop is detectable' : `a drop of ${share(same.smallest ?? 0)} found ${share(found)}`),
      );
    }
  }
  return [
    `${SEEDS} pairs of runs each; promised: different at most 5%, found at least 80%`,
    ...lines,
    ...TOGETHER.map(together),
  ];
}

/** How often several scenarios are called different, one of them or all together, and what a small drop of all shows. */
function together({ scenarios, trials }: (typeof TOGETHER)[number]): string {
  const random = seededRandom('together', String(scenarios), String(trials));
  const compared = (drop: number) => comparedScenarios({ scenarios, trials, rates: [0.95, 0.6], drop }, random);
  const counts = { alarms: 0, alone: 0, all: 0 };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const same = compared(0);
    if ([...same.alone, same.all].some((each) => each === 'better' || each === 'worse')) counts.alarms += 1;
    const worse = compared(DROP);
    if (worse.alone.includes('worse')) counts.alone += 1;
    if (worse.all === 'worse') counts.all += 1;
  }
  const [alarms, alone, all] = [counts.alarms, counts.alone, counts.all].map((count) => share(count / SEEDS));
  return (
    `${scenarios} scenarios x ${trials} trials: called different ${alarms}; ` +
    `a drop of ${share(DROP)} in all of them found together ${all}, in one of them alone ${alone}`
  );
}

function falseAlarms(runs: SimulatedRuns): { salvo: number; zTest: number; smallest: number | null } {
  const random = seededRandom('compare', ...Object.values(runs).map(String));
  const counts = { salvo: 0, zTest: 0 };
  const smallest: number[] = [];
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const { base, next } = simulateRuns(runs, random);
    const { conclusion, smallest_detectable } = compareScenario(base, next);
    if (conclusion === 'better' || conclusion === 'worse') counts.salvo += 1;
    if (zTest(base, next) < 0.05) counts.zTest += 1;
    smallest.push(smallest_detectable ?? 1);
  }
  const typical = quantile(smallest, 0.5) ?? 1;
  return { salvo: counts.salvo / SEEDS, zTest: counts.zTest / SEEDS, smallest: typical < runs.rate ? typical : null };
}

function worseFound(runs: SimulatedRuns, drop: number | null): number | null {
  if (drop === null) return null;
  const random = seededRandom('compare', 'worse', ...Object.values(runs).map(String));
  let found = 0;
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const { base, next } = simulateRuns({ ...runs, drop }, random);
    if (compareScenario(base, next).conclusion === 'worse') found += 1;
  }
  return found / SEEDS;
}

/** The p value that two pass rates have if every trial is counted as independent. */
function zTest(base: ComparedRun, next: ComparedRun): number {
  const rateOf = ({ trials }: ComparedRun) => mean(trials.map(({ passed }) => Number(passed))) ?? 0;
  const [a, b] = [rateOf(base), rateOf(next)];
  const both = (a + b) / 2;
  const error = Math.sqrt(both * (1 - both) * (1 / base.trials.length + 1 / next.trials.length));
  return error === 0 ? 1 : 2 * normalTail(Math.abs(a - b) / error);
}

function describe({ cases, trials, sameSeed, ownCases }: Omit<SimulatedRuns, 'rate'>): string {
  const size = cases === 1 ? `${trials} trials` : `${cases} cases x ${trials}`;
  return `${size}${sameSeed ? ', same seed' : ''}${ownCases ? ', other cases hard' : ''}`;
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

import type { ComparedRun, ComparedTrial } from '../src/run/compare/comparable-trials.ts';
import { compareGroups } from '../src/run/compare/compare-together.ts';
import type { Conclusion } from '../src/run/compare/comparison.ts';
import { drawBeta } from './random-draws.ts';

/** Two runs of a scenario of which the truth is known. */
export interface SimulatedRuns {
  /** 1 is a scenario without data. */
  cases: number;
  /** Of each case, in each run. */
  trials: number;
  /** The pass rate of the base, over all cases like these. */
  rate: number;
  /** How alike the trials of one case are: 0 is not at all. */
  alike: number;
  /** How far the rate of the new run is below that of the base: a part of the passes of every case fails. */
  drop?: number | undefined;
  /** Whether cases are harder for one run and easier for the other, at random: on average the runs are the same. */
  ownCases?: boolean | undefined;
  /** Whether both runs have the same seed, and the agents draw the same numbers. */
  sameSeed?: boolean | undefined;
}

export function simulateRuns(
  { cases, trials, rate, alike, drop = 0, ownCases = false, sameSeed = false }: SimulatedRuns,
  random: () => number,
): { base: ComparedRun; next: ComparedRun } {
  const [base, next]: [ComparedTrial[], ComparedTrial[]] = [[], []];
  for (let index = 0; index < cases; index += 1) {
    const ofBase = drawBeta(random, { mean: rate, alike });
    const ofNext = (ownCases ? drawBeta(random, { mean: rate, alike }) : ofBase) * (1 - drop / rate);
    const name = cases === 1 ? null : `case ${index + 1}`;
    for (let trial = 1; trial <= trials; trial += 1) {
      const drawn = random();
      base.push(trialOf(name, trial, drawn < ofBase));
      next.push(trialOf(name, trial, (sameSeed ? drawn : random()) < ofNext));
    }
  }
  const seed = sameSeed ? 1 : null;
  return { base: { trials: base, seed }, next: { trials: next, seed } };
}

/** What is concluded of several simulated scenarios: of each alone, and of all together. They take turns in the rates. */
export function comparedScenarios(
  design: { scenarios: number; trials: number; rates: readonly number[]; drop: number },
  random: () => number,
): { alone: Conclusion[]; all: Conclusion | undefined } {
  const { scenarios, trials, rates, drop } = design;
  const pairs = Array.from({ length: scenarios }, (_, index) =>
    simulateRuns({ cases: 1, trials, rate: rates[index % rates.length] ?? 0.5, alike: 0, drop }, random),
  );
  const [found] = compareGroups([pairs]);
  return { alone: found?.scenarios.map(({ conclusion }) => conclusion) ?? [], all: found?.together?.conclusion };
}

function trialOf(name: string | null, trial: number, passed: boolean): ComparedTrial {
  return { case: name, trial, passed, score: Number(passed) };
}

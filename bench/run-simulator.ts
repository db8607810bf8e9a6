import type { ComparedRun, ComparedTrial } from '../packages/salvo/src/run/compare/comparable-trials.ts';
import { compareGroups } from '../packages/salvo/src/run/compare/compare-together.ts';
import type { Conclusion, TogetherComparison } from '../packages/salvo/src/run/compare/comparison.ts';
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
  /** Whether all answers that pass are the same text, and all that fail, as those of a classifier; else none are. */
  shortAnswers?: boolean | undefined;
}

export function simulateRuns(
  { cases, trials, rate, alike, drop = 0, ownCases = false, sameSeed = false, shortAnswers = false }: SimulatedRuns,
  random: () => number,
): { base: ComparedRun; next: ComparedRun; ofTheseCases: number } {
  const [base, next]: [ComparedTrial[], ComparedTrial[]] = [[], []];
  let ofTheseCases = 0;
  for (let index = 0; index < cases; index += 1) {
    const ofBase = drawBeta(random, { mean: rate, alike });
    const ofNext = (ownCases ? drawBeta(random, { mean: rate, alike }) : ofBase) * (1 - drop / rate);
    ofTheseCases += (ofNext - ofBase) / cases;
    const name = cases === 1 ? null : `case ${index + 1}`;
    for (let trial = 1; trial <= trials; trial += 1) {
      const drawn = random();
      const passed = { base: drawn < ofBase, next: (sameSeed ? drawn : random()) < ofNext };
      const answer = (run: 'base' | 'next') =>
        shortAnswers ? (passed[run] ? 'billing' : 'shipping') : `${run} ${trial}`;
      base.push({ case: name, trial, passed: passed.base, score: null, answer: answer('base') });
      next.push({ case: name, trial, passed: passed.next, score: null, answer: answer('next') });
    }
  }
  const seed = sameSeed ? 1 : null;
  return { base: { trials: base, seed }, next: { trials: next, seed }, ofTheseCases };
}

/** Several scenarios without data, which take turns in the rates. */
export interface SimulatedScenarios {
  scenarios: number;
  trials: number;
  rates: readonly number[];
  drop: number;
  shortAnswers?: boolean | undefined;
}

/** What is concluded of several simulated scenarios: of each alone, and of all together. */
export function comparedScenarios(
  { scenarios, trials, rates, drop, shortAnswers }: SimulatedScenarios,
  random: () => number,
): { alone: Conclusion[]; all: TogetherComparison | null } {
  const pairs = Array.from({ length: scenarios }, (_, index) => {
    const rate = rates[index % rates.length] ?? 0.5;
    return simulateRuns({ cases: 1, trials, rate, alike: 0, drop, shortAnswers }, random);
  });
  const [found] = compareGroups([pairs]);
  return { alone: found?.scenarios.map(({ conclusion }) => conclusion) ?? [], all: found?.together ?? null };
}

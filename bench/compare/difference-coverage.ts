import type { ComparedRun } from '../../packages/salvo/src/run/compare/comparable-trials.ts';
import { rateDifference } from '../../packages/salvo/src/stats/intervals/rate-difference.ts';
import { studentQuantile } from '../../packages/salvo/src/stats/normal.ts';
import type { SimulatedRuns, simulateRuns } from '../run-simulator.ts';
import { share } from './share.ts';

const MANY_CASES = 10;

/** Counts how often intervals of the difference contain the truth, and how wide they are, beside a reference method. */
export class DifferenceCoverage {
  private readonly own = { covered: 0, width: 0, all: 0 };
  private readonly reference = { covered: 0, width: 0, all: 0 };
  private readonly runs: SimulatedRuns;

  constructor(runs: SimulatedRuns) {
    this.runs = runs;
  }

  add({ base, next, ofTheseCases }: ReturnType<typeof simulateRuns>, interval: Interval | null | undefined): void {
    const { cases, drop = 0 } = this.runs;
    // Many cases represent others like them, a few do not.
    const truth = cases < MANY_CASES ? ofTheseCases : -drop;
    count(this.own, interval, truth);
    count(this.reference, cases === 1 ? newcombe(base, next) : student(base, next, this.runs), truth);
  }

  text(): string {
    const { cases } = this.runs;
    const name = cases === 1 ? 'Newcombe' : cases < MANY_CASES ? "Student's t over trials" : "Student's t";
    return `interval covers ${wordsOf(this.own)}; ${name} ${wordsOf(this.reference)}`;
  }
}

type Interval = readonly [number, number];

interface Counts {
  covered: number;
  width: number;
  all: number;
}

function wordsOf({ covered, width, all }: Counts): string {
  return `${share(covered / all)}, ${((100 * width) / all).toFixed(1)} points wide`;
}

function count(counts: Counts, interval: Interval | null | undefined, truth: number): void {
  const [low, high] = interval ?? [-1, 1];
  counts.all += 1;
  counts.width += high - low;
  if (low <= truth && truth <= high) counts.covered += 1;
}

function newcombe(base: ComparedRun, next: ComparedRun): [number, number] | undefined {
  const counts = ({ trials }: ComparedRun) => ({
    passed: trials.filter(({ passed }) => passed).length,
    total: trials.length,
  });
  return rateDifference(counts(next), counts(base))?.interval;
}

/** Over the differences of cases; of a few cases, over their trials. */
function student(base: ComparedRun, next: ComparedRun, { cases, trials }: SimulatedRuns): [number, number] {
  const passed = (run: ComparedRun, index: number) =>
    run.trials.slice(index * trials, (index + 1) * trials).filter((trial) => trial.passed).length / trials;
  const rates = Array.from({ length: cases }, (_, index) => [passed(base, index), passed(next, index)] as const);
  const middle = rates.reduce((sum, [before, now]) => sum + now - before, 0) / cases;
  const spread =
    cases < MANY_CASES
      ? rates.reduce((sum, [a, b]) => sum + (a * (1 - a) + b * (1 - b)) / (trials - 1), 0) / cases ** 2
      : rates.reduce((sum, [before, now]) => sum + (now - before - middle) ** 2, 0) / (cases - 1) / cases;
  const freedom = cases < MANY_CASES ? 2 * cases * (trials - 1) : cases - 1;
  const reach = studentQuantile(freedom) * Math.sqrt(spread);
  return [middle - reach, middle + reach];
}

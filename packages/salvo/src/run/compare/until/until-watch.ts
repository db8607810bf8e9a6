import type { TrialResult } from '../../../trial/trial-result.ts';
import { entryKey } from '../../record/candidate-labels.ts';
import type { EarlierResults, RunRecord, StoredTrial } from '../../record/run-record.ts';
import { answerOf } from '../against-rule.ts';
import type { Baseline, BaselineCase } from '../baseline.ts';
import { baselineOfRun } from '../baseline-of-run.ts';
import { comparedEntry } from '../compare-runs.ts';
import { compareUntilDecided, type KnownLooks } from './until-decided.ts';

type Against = NonNullable<RunRecord['options']['against']>;

/** Compares the trials of a run, and of earlier runs that it continues, with the baseline. Null if its number is fixed. */
export async function compareSoFar(
  base: Baseline,
  run: RunRecord,
  trials: AsyncIterable<Pick<StoredTrial, 'scenario_index' | 'result'>>,
  known?: KnownLooks,
) {
  const { until, gate = 'either', max_drop: maxDrop = null } = run.options.against ?? ({} as Partial<Against>);
  if (!until) return null;
  const next = withEarlier(await baselineOfRun(run, trials, { withPlanned: true }), until.earlier);
  const {
    comparison,
    until: found,
    nextTrials,
  } = compareUntilDecided(base, next, { planned: until.planned, gate, maxDrop }, known);
  const earlierTrials = until.earlier.reduce((sum, { cases }) => sum + lengthOf(cases), 0);
  // A case that is left is looked at no more. With `each`, that is a scenario with an answer.
  const isLeft = (each: (typeof comparison.scenarios)[number]) =>
    gate === 'each' && (each.conclusion === 'better' || answerOf(each, maxDrop) !== 'undecided');
  return {
    ...{ comparison, next, nextTrials, earlierTrials },
    until: { ...found, earlier_trials: Math.min(found.trials, earlierTrials), agents: until.agents },
    left: comparison.scenarios.filter(isLeft).map(comparedEntry),
    isOneAnswer: areCopies(base, next),
  };
}

function lengthOf(cases: readonly { trials: string }[]): number {
  return cases.reduce((sum, { trials }) => sum + trials.length, 0);
}

/** The results with those of earlier runs before them. */
export function withEarlier(next: Baseline, earlier: readonly EarlierResults[]): Baseline {
  const found = new Map(earlier.map((each) => [entryKey(each), each.cases]));
  return {
    ...next,
    scenarios: next.scenarios.map((scenario) => {
      const before = new Map(found.get(entryKey(scenario))?.map((each) => [caseKey(each), each]));
      return { ...scenario, cases: scenario.cases.map((each) => joined(before.get(caseKey(each)), each)) };
    }),
  };
}

function caseKey({ case: name, row }: Pick<BaselineCase, 'case' | 'row'>): string {
  return JSON.stringify([name, row]);
}

/** Whether answers of two runs are equal is known only of each run, so joined ones count as different. */
function joined(
  before: EarlierResults['cases'][number] | undefined,
  { identical, ...now }: BaselineCase,
): BaselineCase {
  const isSame = identical === true && (!before || before.identical === true);
  const trials = (before?.trials ?? '') + now.trials;
  const { scores: _, ...rest } = now;
  return { ...rest, trials, ...(isSame && { identical: true as const }) };
}

/** Whether both agents gave one answer only in every case: more trials would show nothing new. */
function areCopies(base: Baseline, next: Baseline): boolean {
  const all = (results: Baseline) => results.scenarios.flatMap(({ cases }) => cases);
  return [...all(base), ...all(next)].every(({ identical }) => identical);
}

/** Looks at a run while its trials come in, and says when it needs no more of them. */
export class UntilWatch {
  readonly #base: Baseline;
  readonly #getRun: () => Promise<RunRecord | null>;
  readonly #results = new Map<string, { scenario_index: number; result: TrialResult }>();
  #end: (scenario: number) => void = () => {};
  readonly #known: KnownLooks = new Map();
  #due = 1;
  #isOver = false;
  #working: Promise<void> = Promise.resolve();

  constructor(base: Baseline, getRun: () => Promise<RunRecord | null>) {
    this.#base = base;
    this.#getRun = getRun;
  }

  /** Called with the position of each scenario that needs no more trials. */
  onEnd(end: (scenario: number) => void): void {
    this.#end = end;
  }

  add(scenario: number, result: TrialResult): void {
    this.#results.set(`${scenario}/${result.case_index}/${result.trial_number}`, { scenario_index: scenario, result });
    if (this.#results.size < this.#due || this.#isOver) return;
    this.#working = this.#working.then(() => this.#look());
  }

  /** Resolves when all trials that were added have been looked at. */
  settled(): Promise<void> {
    return this.#working;
  }

  async #look(): Promise<void> {
    if (this.#isOver) return;
    const run = await this.#getRun();
    const found = run && (await compareSoFar(this.#base, run, asyncOf(this.#results.values()), this.#known));
    if (!run || !found) return;
    const { until, left, isOneAnswer, nextTrials, earlierTrials } = found;
    this.#isOver = until.decided !== null || (isOneAnswer && until.looks.length > 0);
    this.#due = Math.max(this.#due, nextTrials - earlierTrials);
    const isLeft = new Set(left);
    for (const [index, each] of run.scenarios.entries())
      if (this.#isOver || isLeft.has(entryKey(each))) this.#end(index);
  }
}

async function* asyncOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

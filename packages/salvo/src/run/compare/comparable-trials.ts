import { FEW_CLUSTERS } from '../../stats/intervals/cluster-intervals.ts';

/** A trial as far as it is compared. */
export interface ComparedTrial {
  /** The name of its case; null in a scenario without data. */
  case: string | null;
  trial: number;
  /** Null if it could not be scored. */
  passed: boolean | null;
  score: number | null;
  /** The same for answers that are the same to the byte; null or missing if unknown. */
  answer?: string | null | undefined;
}

/** The trials of a scenario in one run. */
export interface ComparedRun {
  trials: readonly ComparedTrial[];
  /** Null if none was given: then trials of the same number have nothing in common. */
  seed: number | null;
}

export interface ScoredTrial extends ComparedTrial {
  passed: boolean;
}

/** A case with scored trials in both runs. */
export interface ComparedCase {
  name: string | null;
  base: readonly ScoredTrial[];
  next: readonly ScoredTrial[];
}

export type ComparableTrials = ReturnType<typeof comparableTrials>;

/** The cases that both runs have scored. Trials that could not be scored are left out: they are not failures. */
export function comparableTrials(base: ComparedRun, next: ComparedRun) {
  const [ofBase, ofNext] = [scoredByCase(base.trials), scoredByCase(next.trials)];
  const whole = [...ofBase].flatMap(([name, trials]) => {
    const others = ofNext.get(name);
    return others ? [{ name, base: trials, next: others }] : [];
  });
  const single = whole.map(withoutCopies);
  const trialsIn = ({ base, next }: ComparedCase) => base.length + next.length;
  // Of many cases, some have the same answers by chance. Only if all have them, the agent is one that never varies.
  const isMany = whole.length >= FEW_CLUSTERS;
  const cases = !isMany || single.every((each) => trialsIn(each) === 2) ? single : whole;
  return {
    /** In the order of the base. */
    cases,
    onlyBase: namesMissing(ofBase, ofNext),
    onlyNext: namesMissing(ofNext, ofBase),
    /** Whether the trials of a case were copies in both runs, and count as one in each. */
    hasCopies: cases.some((each, index) => trialsIn(each) < trialsIn(whole[index] ?? each)),
  };
}

function scoredByCase(trials: readonly ComparedTrial[]): Map<string | null, ScoredTrial[]> {
  const cases = new Map<string | null, ScoredTrial[]>();
  for (const { passed, ...trial } of trials) {
    if (passed === null) continue;
    const group = cases.get(trial.case) ?? [];
    cases.set(trial.case, group);
    group.push({ ...trial, passed });
  }
  return cases;
}

/**
 * An agent that gives the same answer every time was asked once: 20 copies are no 20 pieces of evidence. But the test asks
 * what would happen if both runs were of the same agent. If the answers of one run vary, that agent's answers vary, and
 * equal answers in the other run are as many draws of it. So trials are joined only if both runs are copies.
 */
function withoutCopies(each: ComparedCase): ComparedCase {
  const [base, next] = [each.base[0], each.next[0]];
  return base && next && areCopies(each.base) && areCopies(each.next) ? { ...each, base: [base], next: [next] } : each;
}

/** If a judge called copies different, they are none. */
function areCopies(trials: readonly ScoredTrial[]): boolean {
  const [first] = trials;
  return (
    first?.answer != null && trials.every(({ answer, passed }) => answer === first.answer && passed === first.passed)
  );
}

function namesMissing(of: ReadonlyMap<string | null, unknown>, other: ReadonlyMap<string | null, unknown>): string[] {
  return [...of.keys()].flatMap((name) => (name === null || other.has(name) ? [] : [name]));
}

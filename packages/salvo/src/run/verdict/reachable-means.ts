import { createExactSum, type ExactSum } from '../../stats/exact-sum.ts';

interface Means {
  mean: number;
  passRate: number;
}

/** Mean score and pass rate if every later trial scored 1 and passed, or scored 0 and failed. Each case weighs the same. */
export interface ReachableMeans {
  best: Means;
  worst: Means;
}

/** The results of the trials of a case so far. */
interface CaseProgress {
  total: number;
  scored: number;
  passed: number;
  scoreSum: number;
}

type Shares = NonNullable<ReturnType<typeof sharesOf>>;

const NOTHING: CaseProgress = { total: 0, scored: 0, passed: 0, scoreSum: 0 };

/**
 * Keeps running sums, so that a trial costs the same with one case and with 20,000. They are exact: what is added and
 * taken away again leaves no rounding error.
 */
export function createReachableMeans(cases: readonly { index: number; trials: number }[]): {
  update(index: number, progress: CaseProgress): void;
  means(): ReachableMeans;
} {
  const planned = new Map(cases.map(({ index, trials }) => [index, trials]));
  const shares = new Map<number, Shares>();
  const sums = {
    ...{ bestMean: createExactSum(), worstMean: createExactSum() },
    ...{ bestRate: createExactSum(), worstRate: createExactSum() },
  };

  function update(index: number, progress: CaseProgress): void {
    const trials = planned.get(index);
    if (trials === undefined) return;
    const [before, now] = [shares.get(index), sharesOf(progress, trials)];
    replace(sums.bestMean, before?.bestMean, now?.bestMean);
    replace(sums.worstMean, before?.worstMean, now?.worstMean);
    replace(sums.bestRate, before?.bestRate, now?.bestRate);
    replace(sums.worstRate, before?.worstRate, now?.worstRate);
    if (now) shares.set(index, now);
    else shares.delete(index);
  }

  for (const { index } of cases) update(index, NOTHING);
  return {
    update,
    means() {
      const meanOf = (sum: ExactSum) => (shares.size === 0 ? 0 : sum.value() / shares.size);
      return {
        best: { mean: meanOf(sums.bestMean), passRate: meanOf(sums.bestRate) },
        worst: { mean: meanOf(sums.worstMean), passRate: meanOf(sums.worstRate) },
      };
    },
  };
}

/** Null for a case of which no trial is scored or left. */
function sharesOf({ total, scored, passed, scoreSum }: CaseProgress, planned: number) {
  const left = planned - total;
  const trials = scored + left;
  if (trials === 0) return null;
  return {
    ...{ bestMean: (scoreSum + left) / trials, worstMean: scoreSum / trials },
    ...{ bestRate: (passed + left) / trials, worstRate: passed / trials },
  };
}

function replace(sum: ExactSum, before = 0, now = 0): void {
  sum.add(-before);
  sum.add(now);
}

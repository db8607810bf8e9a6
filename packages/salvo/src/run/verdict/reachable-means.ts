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

const SHARES = ['bestMean', 'worstMean', 'bestRate', 'worstRate'] as const;

/**
 * Keeps running sums, so that a trial costs the same with one case and with 20,000. They are exact: what is added and
 * taken away again leaves no rounding error.
 */
export function createReachableMeans(cases: readonly { index: number; trials: number }[]): {
  update(index: number, progress: CaseProgress): void;
  means(): ReachableMeans;
} {
  // Lists of numbers: objects and maps would take five times as much memory for each case.
  const places: number[] = [];
  for (const [place, { index }] of cases.entries()) places[index] = place;
  const hasShares = new Uint8Array(cases.length);
  const shares = forEachShare(() => new Float64Array(cases.length));
  const sums = forEachShare(() => createExactSum());
  let withShares = 0;

  function update(index: number, progress: CaseProgress): void {
    const place = places[index];
    const planned = place === undefined ? undefined : cases[place];
    if (place === undefined || planned === undefined) return;
    const now = sharesOf(progress, planned.trials);
    for (const share of SHARES) {
      const value = now?.[share] ?? 0;
      sums[share].add(-(shares[share][place] ?? 0));
      sums[share].add(value);
      shares[share][place] = value;
    }
    withShares += Number(now !== null) - (hasShares[place] ?? 0);
    hasShares[place] = Number(now !== null);
  }

  for (const { index } of cases) update(index, NOTHING);
  return {
    update,
    means() {
      const meanOf = (sum: ExactSum) => (withShares === 0 ? 0 : sum.value() / withShares);
      return {
        best: { mean: meanOf(sums.bestMean), passRate: meanOf(sums.bestRate) },
        worst: { mean: meanOf(sums.worstMean), passRate: meanOf(sums.worstRate) },
      };
    },
  };
}

function forEachShare<T>(create: () => T): Record<keyof Shares, T> {
  return { bestMean: create(), worstMean: create(), bestRate: create(), worstRate: create() };
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

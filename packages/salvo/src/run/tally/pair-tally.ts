import { clusterIntervals, DIFFERENCE } from '../../stats/intervals/cluster-intervals.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import type { PairwiseSummary } from '../record/judge-summary.ts';

/** Preferences of a cluster, and what the order of the answers had to do with them. */
export interface PairCounts {
  win: number;
  tie: number;
  loss: number;
  votes: number;
  changed: number;
  first: number;
  identical: number;
}

const NO_PAIRS: PairCounts = { win: 0, tie: 0, loss: 0, votes: 0, changed: 0, first: 0, identical: 0 };

/** What is counted of a pairwise judgement. */
export interface JudgedPreference {
  preference: 'win' | 'tie' | 'loss' | null;
  identical: boolean;
  order: { votes: number; changed: number; first: number };
}

export function countPreference(
  clusters: Map<number, PairCounts>,
  cluster: number,
  { preference, identical, order }: JudgedPreference,
): void {
  if (preference === null) return;
  const before = clusters.get(cluster) ?? NO_PAIRS;
  clusters.set(cluster, {
    ...before,
    [preference]: before[preference] + 1,
    votes: before.votes + order.votes,
    changed: before.changed + order.changed,
    first: before.first + order.first,
    identical: before.identical + Number(identical),
  });
}

/** The order of cases does not depend on the order in which trials finished. */
export function pairwiseSummary(byCase: ReadonlyMap<number, PairCounts>): PairwiseSummary {
  const clusters = [...byCase].toSorted(([a], [b]) => a - b).map(([, counts]) => counts);
  const total = (kept: readonly PairCounts[], key: keyof PairCounts) => kept.reduce((all, each) => all + each[key], 0);
  const metrics = (kept: readonly PairCounts[]) => {
    const [wins, ties, votes] = [total(kept, 'win'), total(kept, 'tie'), total(kept, 'votes')];
    const trials = wins + ties + total(kept, 'loss');
    return [(wins + ties / 2) / trials, ties / trials, total(kept, 'changed') / votes, total(kept, 'first') / votes];
  };
  const found = metrics(clusters).map((value) => (Number.isFinite(value) ? value : null));
  const ranges = [undefined, undefined, undefined, DIFFERENCE];
  const intervals = clusterIntervals({ clusters, metrics, ranges, random: seededRandom('pairwise') }) ?? [];
  const [win_rate = null, tie_rate = null, changed_rate = null, first_preferred_by = null] = found;
  const [win_rate_ci = null, tie_rate_ci = null, changed_rate_ci = null, first_preferred_by_ci = null] = intervals;
  const [wins, ties, losses] = [total(clusters, 'win'), total(clusters, 'tie'), total(clusters, 'loss')];
  return {
    ...{ trials: wins + ties + losses, wins, ties, losses, identical: total(clusters, 'identical') },
    ...{ win_rate, win_rate_ci, tie_rate, tie_rate_ci },
    ...{ changed_rate, changed_rate_ci, first_preferred_by, first_preferred_by_ci },
  };
}

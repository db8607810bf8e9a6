import { Z_95 } from '../normal.ts';
import { effectiveSize } from './effective-size.ts';

/** An item with a score, and whether it is of the kind that should have high scores. */
export interface RankedItem {
  score: number;
  isPositive: boolean;
  /** Items of one cluster may be alike. */
  cluster: string;
}

export interface AurocEstimate {
  auroc: number;
  interval: [number, number];
}

const STEPS = 60;

/**
 * How well scores rank: the chance that a positive item has a higher score than a negative one, ties counting half (the
 * area under the ROC curve), with a 95% interval by Newcombe (2006, method 5), which also holds near 1. Clusters make
 * the sample smaller, by the variance of DeLong's components over whole clusters. Null unless there are items of both
 * kinds.
 */
export function aurocEstimate(items: readonly RankedItem[]): AurocEstimate | null {
  const positives = items.filter(({ isPositive }) => isPositive).length;
  const negatives = items.length - positives;
  if (positives === 0 || negatives === 0) return null;
  const shares = sharesBeaten(items, { positives, negatives });
  const auroc = shares.reduce((sum, { share }, index) => sum + (items[index]?.isPositive ? share : 0), 0) / positives;
  const worth = effectiveSize(
    shares.map(({ share, cluster, isPositive }) => ({
      cluster,
      weight: 1,
      influence: ((share - auroc) * items.length) / (isPositive ? positives : negatives),
    })),
  );
  if (worth === 0) return { auroc, interval: [0, 1] };
  const scale = worth / items.length;
  return { auroc, interval: newcombeInterval(auroc, positives * scale, negatives * scale) };
}

/** For each item the share of items of the other kind that it is ranked rightly against. */
function sharesBeaten(items: readonly RankedItem[], count: { positives: number; negatives: number }) {
  const order = items.map((item, index) => ({ ...item, index })).sort((a, b) => a.score - b.score);
  const found = items.map(({ cluster, isPositive }) => ({ cluster, isPositive, share: 0 }));
  let [positivesBelow, negativesBelow] = [0, 0];
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && order[end]?.score === order[start]?.score) end += 1;
    const tied = order.slice(start, end);
    const positivesTied = tied.filter(({ isPositive }) => isPositive).length;
    const negativesTied = tied.length - positivesTied;
    const ofPositive = (negativesBelow + negativesTied / 2) / count.negatives;
    const ofNegative = 1 - (positivesBelow + positivesTied / 2) / count.positives;
    for (const { index, isPositive } of tied) {
      const entry = found[index];
      if (entry) entry.share = isPositive ? ofPositive : ofNegative;
    }
    positivesBelow += positivesTied;
    negativesBelow += negativesTied;
    start = end;
  }
  return found;
}

function newcombeInterval(auroc: number, positives: number, negatives: number): [number, number] {
  const others = Math.max(0, (positives + negatives) / 2 - 1);
  const variance = (at: number) =>
    (at * (1 - at) * (1 + (others * (1 - at)) / (2 - at) + (others * at) / (1 + at))) / (positives * negatives);
  const isInside = (at: number) => (auroc - at) ** 2 <= Z_95 ** 2 * variance(at);
  return [endBetween(auroc, 0, isInside), endBetween(auroc, 1, isInside)];
}

function endBetween(inside: number, outside: number, isInside: (at: number) => boolean): number {
  let [near, far] = [inside, outside];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (near + far) / 2;
    if (isInside(middle)) near = middle;
    else far = middle;
  }
  return near;
}

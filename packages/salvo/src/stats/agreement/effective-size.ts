import { studentQuantile, Z_95 } from '../normal.ts';

/** An item of a sample: which cluster it is of, how many items it stands for, and how it moves the estimate. */
export interface SampledItem {
  cluster: string;
  weight: number;
  /** How much an estimate changes by this item (its influence function): for a rate, the value minus the rate. */
  influence: number;
}

/**
 * How many independent items of equal weight would tell as much about an estimate as these: the variance of one item
 * divided by the variance of the estimate over whole clusters (Kish 1965; Korn and Graubard 1998). Clusters are few, so
 * the size is smaller by the square of normal to Student's t. At most the number of items.
 *
 * If no item moves the estimate, such as when all succeeded, nothing shows how alike the items of a cluster are: then
 * every cluster counts as one item. Zero with a single cluster of several items, which says nothing about others.
 */
export function effectiveSize(items: readonly SampledItem[]): number {
  const clusters = new Map<string, { weight: number; influence: number }>();
  let [weight, squares] = [0, 0];
  for (const item of items) {
    const cluster = clusters.get(item.cluster) ?? { weight: 0, influence: 0 };
    clusters.set(item.cluster, cluster);
    cluster.weight += item.weight;
    cluster.influence += item.weight * item.influence;
    weight += item.weight;
    squares += item.weight * item.influence ** 2;
  }
  const isPlain = clusters.size === items.length && items.every((item) => item.weight === items[0]?.weight);
  if (isPlain) return items.length;
  const count = clusters.size;
  if (count < 2) return 0;
  const all = [...clusters.values()];
  // Clusters of which few have nearly all the weight are worth no more than these few.
  const worth = weight ** 2 / all.reduce((sum, cluster) => sum + cluster.weight ** 2, 0);
  const ofOne = squares / weight;
  const ofEstimate = (count / (count - 1)) * all.reduce((sum, each) => sum + (each.influence / weight) ** 2, 0);
  const size = ofOne < 1e-12 ? worth : Math.min(items.length, ofOne / ofEstimate);
  return size * (Z_95 / studentQuantile(Math.max(1, Math.floor(worth + 1e-9) - 1))) ** 2;
}

import { clusterBootstrap } from '../../../stats/cluster-bootstrap.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { type Rate, rateOf } from './rate-estimate.ts';

/** Of some vulnerabilities, how many were found; by cluster. */
export type FoundByCluster = Map<string, { of: number; found: number }>;

export interface FoundShare {
  vulnerabilities: number;
  found: number;
  recall: Rate;
}

export function addFound(clusters: FoundByCluster, cluster: string, found: boolean): void {
  const sums = clusters.get(cluster) ?? { of: 0, found: 0 };
  sums.of += 1;
  if (found) sums.found += 1;
  clusters.set(cluster, sums);
}

export function foundShare(clusters: FoundByCluster, seed: number): FoundShare {
  const all = [...clusters.values()];
  const { of, found } = totalOf(all);
  const intervals = clusterBootstrap({
    clusters: all,
    figures(drawn) {
      const sums = totalOf(drawn);
      return [sums.found / sums.of];
    },
    random: seededRandom(seed, 'found'),
  });
  return {
    vulnerabilities: of,
    found,
    recall: rateOf(found / of, { interval: intervals?.[0], clusters: all.length }),
  };
}

function totalOf(clusters: readonly { of: number; found: number }[]): { of: number; found: number } {
  let of = 0;
  let found = 0;
  for (const sums of clusters) {
    of += sums.of;
    found += sums.found;
  }
  return { of, found };
}

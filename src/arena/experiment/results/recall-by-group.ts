import { clusterBootstrap } from '../../../stats/cluster-bootstrap.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import type { Game } from '../../game/game-document.ts';
import type { ManifestMetrics } from './experiment-results.ts';
import { estimateRate, type RateEstimate } from './rate-estimate.ts';

interface GroupKey {
  blue: string;
  group: string;
}

/** Vulnerabilities by Blue and by what kind they are, the most frequent kinds first. */
export interface RecallByGroup {
  add(key: GroupKey, cluster: string, found: boolean): void;
  shares(seed: number): (GroupKey & GroupRecall)[];
}

/** What a model calls its techniques is anything: nobody reads on, and each takes a bootstrap. */
const MOST_GROUPS = 200;

export function createRecallByGroup(): RecallByGroup {
  const groups = new Map<string, { key: GroupKey; clusters: RecallCounts; of: number }>();
  return {
    add(key, cluster, found) {
      const name = JSON.stringify([key.blue, key.group]);
      const group = groups.get(name) ?? { key, clusters: new Map(), of: 0 };
      groups.set(name, group);
      group.of += 1;
      addFound(group.clusters, cluster, found);
    },
    shares: (seed) =>
      [...groups.values()]
        .toSorted((a, b) => b.of - a.of)
        .slice(0, MOST_GROUPS)
        .map(({ key, clusters }) => ({ ...key, ...estimateRecall(clusters, seed) })),
  };
}

/** Of some vulnerabilities, how many were found; by cluster. */
export type RecallCounts = Map<string, { of: number; found: number }>;

export interface GroupRecall {
  vulnerabilities: number;
  found: number;
  recall: RateEstimate;
}

export function addFound(clusters: RecallCounts, cluster: string, found: boolean): void {
  const sums = clusters.get(cluster) ?? { of: 0, found: 0 };
  sums.of += 1;
  if (found) sums.found += 1;
  clusters.set(cluster, sums);
}

export function estimateRecall(clusters: RecallCounts, seed: number): GroupRecall {
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
    recall: estimateRate(found / of, { interval: intervals?.[0], clusters: all.length }),
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

type Counted = Pick<Game, 'code_key' | 'red' | 'claimed' | 'confirmed' | 'phantoms' | 'unchecked'>;

/** How true the manifests of each Red were. Games on the same code must come one after the other. */
export function createManifestTally() {
  const reds = new Map<string, { sums: Omit<ManifestMetrics, 'accuracy'>; clusters: RecallCounts }>();
  let last: string | null = null;
  return {
    add({ code_key, red, claimed, confirmed, phantoms, unchecked }: Counted): void {
      // Where Red failed there is no manifest; and each is counted with the first Blue that got it.
      if (claimed === 0 || code_key === last) return;
      last = code_key;
      const tally = reds.get(red) ?? {
        sums: { red, codes: 0, claimed: 0, confirmed: 0, phantoms: 0, unchecked: 0 },
        clusters: new Map(),
      };
      reds.set(red, tally);
      tally.sums.codes += 1;
      tally.sums.claimed += claimed;
      tally.sums.confirmed += confirmed;
      tally.sums.phantoms += phantoms;
      tally.sums.unchecked += unchecked;
      tally.clusters.set(code_key, { of: confirmed + phantoms, found: confirmed });
    },
    figures: (seed: number): ManifestMetrics[] =>
      [...reds.values()].map(({ sums, clusters }) => ({ ...sums, accuracy: estimateRecall(clusters, seed).recall })),
  };
}

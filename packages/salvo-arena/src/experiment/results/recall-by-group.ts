import { clusterIntervals } from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import type { Game } from '../../game/game-document.ts';
import { ratio } from '../../match/results/game-rates.ts';
import { createClusteredSums, estimateRate } from './clustered-sums.ts';
import type { GroupRecall, ManifestMetrics, RateEstimate } from './experiment-results.ts';

/** A model may invent any number of techniques. No reader needs more of them, and each takes an interval. */
const MOST_GROUPS = 200;

type Group = Pick<GroupRecall, 'blue' | 'group'>;

/** Vulnerabilities by Blue and by group, the most frequent groups first. */
export function createRecallByGroup() {
  const clustered = createClusteredSums<Group, Counts>(() => ({ of: 0, found: 0 }));
  return {
    add(key: Group, cluster: string, found: boolean): void {
      const counts = clustered.sumsOf(key, cluster);
      counts.of += 1;
      if (found) counts.found += 1;
    },
    recalls: (seed: number): GroupRecall[] =>
      clustered
        .groups()
        .map(({ key, clusters }) => ({ key, clusters: [...clusters.values()], total: sumCounts(clusters.values()) }))
        .toSorted((a, b) => b.total.of - a.total.of)
        .slice(0, MOST_GROUPS)
        .map(({ key, clusters, total }) => ({
          ...key,
          vulnerabilities: total.of,
          found: total.found,
          recall: estimateShare(clusters, seed),
        })),
  };
}

/** Counts how much of the manifests of each Red was true. Games on the same code must be added one after the other. */
export function createManifestTally() {
  const reds = new Map<string, { sums: Omit<ManifestMetrics, 'accuracy'>; codes: Counts[] }>();
  let last: string | null = null;
  return {
    add(game: Pick<Game, 'code_key' | 'red' | 'claimed' | 'confirmed' | 'phantoms' | 'unchecked'>): void {
      const { code_key, red, claimed, confirmed, phantoms, unchecked } = game;
      // There is no manifest when Red failed. Others are counted with the first Blue that received the code.
      if (claimed === 0 || code_key === last) return;
      last = code_key;
      const tally = reds.get(red) ?? {
        sums: { red, codes: 0, claimed: 0, confirmed: 0, phantoms: 0, unchecked: 0 },
        codes: [],
      };
      reds.set(red, tally);
      tally.sums.codes += 1;
      tally.sums.claimed += claimed;
      tally.sums.confirmed += confirmed;
      tally.sums.phantoms += phantoms;
      tally.sums.unchecked += unchecked;
      tally.codes.push({ of: confirmed + phantoms, found: confirmed });
    },
    metrics: (seed: number): ManifestMetrics[] =>
      [...reds.values()].map(({ sums, codes }) => ({ ...sums, accuracy: estimateShare(codes, seed) })),
  };
}

/** Of how many, and how many of them were found (or confirmed), in one cluster. */
interface Counts {
  of: number;
  found: number;
}

/** The share that was found, with its interval over clusters. */
function estimateShare(clusters: readonly Counts[], seed: number): RateEstimate {
  const share = (kept: Iterable<Counts>): number => {
    const { of, found } = sumCounts(kept);
    return ratio(found, of);
  };
  const random = seededRandom(seed, 'found');
  const intervals = clusterIntervals({ clusters, metrics: (kept) => [share(kept)], random });
  return estimateRate(share(clusters), intervals?.[0]);
}

function sumCounts(clusters: Iterable<Counts>): Counts {
  const total = { of: 0, found: 0 };
  for (const { of, found } of clusters) {
    total.of += of;
    total.found += found;
  }
  return total;
}

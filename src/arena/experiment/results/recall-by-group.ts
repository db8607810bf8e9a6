import { addFound, type FoundByCluster, type FoundShare, foundShare } from './clustered-recall.ts';

interface GroupKey {
  blue: string;
  group: string;
}

/** Vulnerabilities by Blue and by what kind they are, the most frequent kinds first. */
export interface FoundGroups {
  add(key: GroupKey, cluster: string, found: boolean): void;
  shares(seed: number): (GroupKey & FoundShare)[];
}

/** What a model calls its techniques is anything: nobody reads on, and each takes a bootstrap. */
const MOST_GROUPS = 200;

export function createGroups(): FoundGroups {
  const groups = new Map<string, { key: GroupKey; clusters: FoundByCluster; of: number }>();
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
        .map(({ key, clusters }) => ({ ...key, ...foundShare(clusters, seed) })),
  };
}

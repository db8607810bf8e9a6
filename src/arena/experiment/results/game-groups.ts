import type { GameScores } from '../../game/game-scores.ts';
import { addGame, type ClusterSums, type Figures, figuresOf, noSums } from './metrics.ts';

/** Games by what they have in common, in the order it first came. */
export interface GameGroups<Key extends object> {
  add(key: Key, cluster: string, scores: GameScores): void;
  figures(seed: number): (Key & Figures)[];
}

export function createGameGroups<Key extends object>(): GameGroups<Key> {
  const groups = new Map<string, { key: Key; clusters: Map<string, ClusterSums> }>();
  return {
    add(key, cluster, scores) {
      const name = JSON.stringify(Object.values(key));
      const group = groups.get(name) ?? { key, clusters: new Map<string, ClusterSums>() };
      groups.set(name, group);
      const sums = group.clusters.get(cluster) ?? noSums();
      group.clusters.set(cluster, sums);
      addGame(sums, scores);
    },
    figures: (seed) =>
      [...groups.values()].map(({ key, clusters }) => ({ ...key, ...figuresOf([...clusters.values()], seed) })),
  };
}

import type { Game } from '../../game/game-document.ts';
import { type FoundByCluster, foundShare } from './clustered-recall.ts';
import type { ManifestFigures } from './experiment-results.ts';

type Counted = Pick<Game, 'code_key' | 'red' | 'claimed' | 'confirmed' | 'phantoms' | 'unchecked'>;

/** How true the manifests of each Red were. Games on the same code must come one after the other. */
export function createManifestTally() {
  const reds = new Map<string, { sums: Omit<ManifestFigures, 'accuracy'>; clusters: FoundByCluster }>();
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
    figures: (seed: number): ManifestFigures[] =>
      [...reds.values()].map(({ sums, clusters }) => ({ ...sums, accuracy: foundShare(clusters, seed).recall })),
  };
}

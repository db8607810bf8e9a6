import { normalized, rarityIn, type WeaknessTable } from '../../src/match/evidence/nearest-weaknesses.ts';
import { wholesOf } from '../../src/match/weaknesses/weakness-relations.ts';

/** The words and concepts (marked with `#`) of each sentence of a weakness. */
export type Sentences = readonly ReadonlySet<string>[];

/** Which words and concepts each weakness has, weighted by how many of its sentences and how few weaknesses have them. */
export function countWeaknesses(weaknesses: readonly { id: string; sentences: Sentences }[]): WeaknessTable {
  const weigh = weigher(weaknesses.map(({ sentences }) => sentences));
  const keys = new Map<string, number[]>();
  for (const [index, { sentences }] of weaknesses.entries()) {
    for (const [key, weight] of weigh(sentences)) {
      const of = keys.get(key) ?? [];
      keys.set(key, of);
      of.push(index, Math.round(weight * 100));
    }
  }
  const indices = new Map(weaknesses.map(({ id }, index) => [id, index]));
  return {
    ids: weaknesses.map(({ id }) => id),
    part_of: weaknesses.flatMap(({ id }, part) =>
      [...wholesOf(id)].flatMap((whole): [number, number][] => {
        const index = indices.get(whole);
        return index === undefined ? [] : [[part, index]];
      }),
    ),
    keys: Object.fromEntries([...keys].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Makes the vector of a weakness from its sentences, or from those that are not left out. */
export function weigher(all: readonly Sentences[]): (sentences: Sentences) => Map<string, number> {
  const having = new Map<string, number>();
  for (const sentences of all) {
    for (const key of new Set(sentences.flatMap((sentence) => [...sentence]))) {
      having.set(key, (having.get(key) ?? 0) + 1);
    }
  }
  const rarity = rarityIn(all.length);
  return (sentences) => {
    const counts = new Map<string, number>();
    for (const sentence of sentences) for (const key of sentence) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [key, count] of counts) {
      counts.set(key, Math.sqrt(count / sentences.length) * rarity(key, having.get(key) ?? 0));
    }
    return normalized(counts);
  };
}

import type { WeaknessTable } from '../../packages/salvo-arena/src/match/evidence/weaknesses/weakness-scores.ts';

/** The words and concepts (marked with `#`) of each sentence of a weakness. */
export type Sentences = readonly ReadonlySet<string>[];

/** How many sentences of each weakness have each word and concept. */
export function countWeaknesses(
  weaknesses: readonly { id: string; service: string; wholes?: readonly string[]; sentences: Sentences }[],
): WeaknessTable {
  const keys = new Map<string, number[]>();
  for (const [index, { sentences }] of weaknesses.entries()) {
    for (const [key, count] of countKeys(sentences)) {
      const of = keys.get(key) ?? [];
      keys.set(key, of);
      of.push(index, count);
    }
  }
  const indices = new Map(weaknesses.map(({ id }, index) => [id, index]));
  return {
    ids: weaknesses.map(({ id }) => id),
    services: weaknesses.map(({ service }) => service),
    part_of: weaknesses.flatMap(({ wholes = [] }, part) =>
      [...wholes].flatMap((whole): [number, number][] => {
        const index = indices.get(whole);
        return index === undefined ? [] : [[part, index]];
      }),
    ),
    keys: Object.fromEntries([...keys].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** How many of the sentences have each word and concept. */
function countKeys(sentences: Sentences): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) for (const key of sentence) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

import type { Concept } from './compiled-lexicon.ts';

/** A finding that names only the wider concept may mean something else. */
const MORE_GENERAL = 0.85;

/** Two concepts that the lexicon calls related, though neither belongs to the other. */
export interface Nearness {
  a: number;
  b: number;
  share: number;
}

/**
 * How far two concepts count as the same, from 0 to 1, at `[vulnerability's concept * count + finding's concept]`. For
 * a concept and its ancestor it is the product of the kinships between them. It is less for siblings, and 0 for others
 * unless the lexicon calls them near.
 */
export function affinities(concepts: readonly Concept[], near: readonly Nearness[]): Float64Array {
  const count = concepts.length;
  const table = new Float64Array(count * count);
  const ancestries = concepts.map((_, index) => ancestry(concepts, index));
  const families = Map.groupBy(ancestries.entries(), ([, of]) => [...of.keys()].at(-1) ?? -1);
  for (const family of families.values()) {
    for (const [a, ofA] of family) {
      for (const [b, ofB] of family) table[a * count + b] = kinship(concepts, a, ofA, b, ofB);
    }
  }
  for (const { a, b, share } of near) {
    table[a * count + b] = Math.max(table[a * count + b] ?? 0, share);
    table[b * count + a] = Math.max(table[b * count + a] ?? 0, share);
  }
  return table;
}

type Ancestry = ReadonlyMap<number, number>;

/** A concept and its ancestors, the widest last, each with how far the concept counts as it. */
function ancestry(concepts: readonly Concept[], index: number): Ancestry {
  const found = new Map<number, number>();
  let share = 1;
  for (let at = index; at >= 0 && !found.has(at); at = concepts[at]?.parent ?? -1) {
    found.set(at, share);
    share *= concepts[at]?.kin ?? 1;
  }
  return found;
}

function kinship(concepts: readonly Concept[], a: number, ofA: Ancestry, b: number, ofB: Ancestry): number {
  if (a === b) return 1;
  const upFromA = ofA.get(b);
  if (upFromA !== undefined) return upFromA * MORE_GENERAL;
  const upFromB = ofB.get(a);
  if (upFromB !== undefined) return upFromB;
  for (const [common, share] of ofA) {
    const other = ofB.get(common);
    if (other !== undefined) return share * other * (concepts[common]?.siblings ?? 0);
  }
  return 0;
}

/** Sentences of one weakness, each as its words. */
type Sentences = readonly (readonly string[])[];

const ROUNDS = 5;
/** How much likelier a word is explained by itself than by another word, before anything is counted. */
const ITSELF = 5;
/** A word is expected to be explained by nothing so often, so that rare words need more than one coincidence. */
const PRIOR = 2;
/** A less likely counterpart is no synonym; one that is likely enough counts as far as a synonym can. */
const LEAST = 0.08;
const CERTAIN = 0.25;
const MOST = 0.85;

/**
 * Which words replace each other in sentences about one weakness, and how far, from 0 to 1. Every word of a sentence is
 * explained by the words of another sentence of the weakness; what explains what is counted again and again with the
 * shares of the round before, as in IBM's first translation model.
 */
export function countSynonyms(weaknesses: readonly Sentences[]): Record<string, Record<string, number>> {
  let shares = new Map<string, Map<string, number>>();
  for (let round = 0; round < ROUNDS; round += 1) shares = explain(weaknesses, round === 0 ? null : shares);
  const synonyms = new Map<string, Map<string, number>>();
  for (const [from, to] of shares) {
    for (const [word, share] of to) {
      if (from === '' || from === word || share < LEAST) continue;
      const strength = Math.round(MOST * Math.min(1, share / CERTAIN) * 100) / 100;
      for (const [a, b] of [
        [from, word],
        [word, from],
      ] as const) {
        const of = synonyms.get(a) ?? new Map<string, number>();
        of.set(b, Math.max(strength, of.get(b) ?? 0));
        synonyms.set(a, of);
      }
    }
  }
  return sortedRecord([...synonyms].map(([word, of]) => [word, sortedRecord([...of])]));
}

/** One round: with no shares yet, every word explains every other one equally. */
function explain(
  weaknesses: readonly Sentences[],
  shares: ReadonlyMap<string, ReadonlyMap<string, number>> | null,
): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const sentences of weaknesses) {
    for (const source of sentences) {
      const words = [...source, ''];
      for (const target of sentences) {
        if (target === source) continue;
        for (const word of target) {
          const parts = words.map((from) => shares?.get(from)?.get(word) ?? (shares === null ? 1 : 1e-6));
          const itself = words.indexOf(word);
          if (shares === null && itself >= 0) parts[itself] = ITSELF;
          const total = parts.reduce((sum, part) => sum + part, 0) * (sentences.length - 1);
          for (const [at, from] of words.entries()) add(counts, from, word, (parts[at] ?? 0) / total);
        }
      }
    }
  }
  for (const [from, to] of counts) {
    const total = [...to.values()].reduce((sum, count) => sum + count, from === '' ? 0 : PRIOR);
    for (const [word, count] of to) to.set(word, count / total);
  }
  return counts;
}

function add(counts: Map<string, Map<string, number>>, from: string, word: string, count: number): void {
  const of = counts.get(from) ?? new Map<string, number>();
  of.set(word, (of.get(word) ?? 0) + count);
  counts.set(from, of);
}

function sortedRecord<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

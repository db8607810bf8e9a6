import { evenlySpread } from './evenly-spread.ts';

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

/** A sentence is explained by at most so many others of its weakness, evenly spread. */
const MOST_SOURCES = 6;

/**
 * Which words replace each other in sentences about one weakness, and how far, from 0 to 1. Every word of a sentence is
 * explained by the words of other sentences of the weakness; what explains what is counted again and again with the
 * shares of the round before, as in IBM's first translation model.
 */
export function countSynonyms(weaknesses: readonly Sentences[]): Record<string, Record<string, number>> {
  const words = ['', ...new Set(weaknesses.flat(2))];
  const indices = new Map(words.map((word, index) => [word, index]));
  const links = createLinks(words.length);
  for (const sentences of weaknesses) {
    const read = sentences.map((sentence) => sentence.map((word) => indices.get(word) ?? NOTHING));
    for (const { source, target, weight } of sentencePairs(read)) {
      for (const word of target) links.explain(word, source, weight);
    }
  }
  const synonyms = new Map<string, Map<string, number>>();
  for (const { from, to, share } of links.shares()) {
    if (from === NOTHING || from === to || share < LEAST) continue;
    const strength = Math.round(MOST * Math.min(1, share / CERTAIN) * 100) / 100;
    const [one, other] = [words[from] ?? '', words[to] ?? ''];
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const of = synonyms.get(a) ?? new Map<string, number>();
      of.set(b, Math.max(strength, of.get(b) ?? 0));
      synonyms.set(a, of);
    }
  }
  return sortedRecord([...synonyms].map(([word, of]) => [word, sortedRecord([...of])]));
}

/** The index of the word that explains what no word explains. */
const NOTHING = 0;

interface SentencePair {
  source: readonly number[];
  target: readonly number[];
  weight: number;
}

function sentencePairs(sentences: readonly (readonly number[])[]): SentencePair[] {
  return sentences.flatMap((target, at) => {
    const others = [...sentences.slice(at + 1), ...sentences.slice(0, at)];
    const sources = evenlySpread(others, MOST_SOURCES);
    return sources.map((source) => ({ source: [...source, NOTHING], target, weight: 1 / sources.length }));
  });
}

interface Links {
  /** A word has to be explained by the words of a sentence. */
  explain(word: number, source: readonly number[], weight: number): void;
  /** For every two words that met: how much of what the first explains is the second. */
  shares(): Iterable<{ from: number; to: number; share: number }>;
}

/** Links of words are numbered once, so that the rounds run over plain arrays: there are millions of them. */
function createLinks(count: number): Links {
  const numbers = new Map<number, number>();
  const links: number[] = [];
  const ends: number[] = [];
  const weights: number[] = [];
  return {
    explain(word, source, weight) {
      for (const from of source) {
        const key = from * count + word;
        const number = numbers.get(key) ?? numbers.size;
        numbers.set(key, number);
        links.push(number);
      }
      ends.push(links.length);
      weights.push(weight);
    },
    *shares() {
      const froms = Int32Array.from(numbers.keys(), (key) => Math.floor(key / count));
      // At first, every word explains every other one equally.
      let shares: Float64Array = Float64Array.from(numbers.keys(), (key) =>
        Math.floor(key / count) === key % count ? ITSELF : 1,
      );
      for (let round = 0; round < ROUNDS; round += 1) shares = normalized(countedWith(shares), froms);
      for (const [key, number] of numbers) {
        yield { from: Math.floor(key / count), to: key % count, share: shares[number] ?? 0 };
      }
    },
  };

  function countedWith(shares: Float64Array): Float64Array {
    const counts = new Float64Array(shares.length);
    let begin = 0;
    for (const [at, end] of ends.entries()) {
      let total = 0;
      for (let n = begin; n < end; n += 1) total += shares[links[n] ?? 0] ?? 0;
      const factor = (weights[at] ?? 0) / total;
      for (let n = begin; n < end; n += 1) {
        const link = links[n] ?? 0;
        counts[link] = (counts[link] ?? 0) + (shares[link] ?? 0) * factor;
      }
      begin = end;
    }
    return counts;
  }

  function normalized(counts: Float64Array, froms: Int32Array): Float64Array {
    const totals = new Float64Array(count).fill(PRIOR);
    totals[NOTHING] = 0;
    for (let link = 0; link < counts.length; link += 1) {
      const from = froms[link] ?? 0;
      totals[from] = (totals[from] ?? 0) + (counts[link] ?? 0);
    }
    return counts.map((of, link) => of / (totals[froms[link] ?? 0] ?? 1));
  }
}

function sortedRecord<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

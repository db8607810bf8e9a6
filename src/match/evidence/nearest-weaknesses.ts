import { memoByWord } from '../../text/memo.ts';

/** Which words and concepts the sentences about each weakness have. Made by `npm run train-matcher`. */
export interface WeaknessTable {
  ids: string[];
  /** Pairs of indices: a weakness, and one that it is part of. */
  part_of: [number, number][];
  /** By word (its stem) or concept (`#id`): pairs of the index of a weakness and 100 times the weight in it. */
  keys: Record<string, number[]>;
}

/** What a text says, as far as it tells weaknesses apart. */
export interface WeaknessKeys {
  words: Iterable<{ text: string; synonyms: readonly (readonly [string, number])[] }>;
  concepts: Iterable<string>;
  /** The words of the text below the headline. */
  below: Iterable<string>;
}

/** The weaknesses that a text may be about. */
export interface LikelyWeaknesses {
  /** By index: the square root of the probability of each. */
  roots: ReadonlyMap<number, number>;
  /** The same for those that these are parts of: every case of an open port is a case of an open ingress. */
  wider: ReadonlyMap<number, number>;
}

export interface NearestWeaknesses {
  ids: readonly string[];
  /** The text's words and concepts, weighted by how few weaknesses have them; as a vector of length 1. */
  vectorOf(keys: WeaknessKeys): Map<string, number>;
  /** The cosine of the text and each weakness. */
  scoresOf(vector: ReadonlyMap<string, number>): Float64Array;
  /** From cosines to probabilities: those near the best share it. None for a text that is near no weakness. */
  likely(scores: Float64Array): LikelyWeaknesses;
}

/** A concept is found more easily than a word, so it tells less. */
const CONCEPT_WEIGHT = 0.6;
/** A word that may replace a word of the text counts less than that word. */
const SYNONYM_WEIGHT = 0.6;
/** A weaker synonym is not looked up. */
const LEAST_SYNONYM = 0.4;
/** A word below the headline, which may be about something else. */
const BELOW_WEIGHT = 0.3;
/** How far a weakness and one that it is part of count as the same. */
const WIDER = 0.8;
/** How much a better cosine raises the probability: by the factor e for 0.05. */
const SHARPNESS = 20;
/** A weakness with less than this share of the best one's probability is left out. */
const LEAST = 0.05;

/** The weaknesses that have a word or concept, how much it weighs in each, and how much it tells. */
interface Posting {
  rarity: number;
  weaknesses: Uint16Array;
  weights: Float64Array;
}

export function createNearestWeaknesses({ ids, keys, part_of }: WeaknessTable): NearestWeaknesses {
  const wholes = Map.groupBy(part_of, ([part]) => part);
  const rarity = rarityIn(ids.length);
  const postingOf = memoByWord((key): Posting => {
    const pairs = Object.hasOwn(keys, key) ? (keys[key] ?? []) : [];
    return {
      rarity: rarity(key, pairs.length / 2),
      weaknesses: Uint16Array.from(pairs.filter((_, at) => at % 2 === 0)),
      weights: Float64Array.from(
        pairs.filter((_, at) => at % 2 === 1),
        (weight) => weight / 100,
      ),
    };
  });
  return {
    ids,
    vectorOf({ words, concepts, below }) {
      const vector = new Map<string, number>();
      for (const { text } of words) vector.set(text, postingOf(text).rarity);
      for (const concept of concepts) vector.set(concept, postingOf(concept).rarity);
      const raise = (key: string, share: number): void => {
        const posting = postingOf(key);
        const weight = share * posting.rarity;
        if (posting.weaknesses.length > 0 && weight > (vector.get(key) ?? 0)) vector.set(key, weight);
      };
      for (const { synonyms } of words) {
        for (const [synonym, strength] of synonyms) {
          if (strength >= LEAST_SYNONYM) raise(synonym, SYNONYM_WEIGHT * strength);
        }
      }
      for (const word of below) raise(word, BELOW_WEIGHT);
      return normalized(vector);
    },
    scoresOf(vector) {
      const scores = new Float64Array(ids.length);
      for (const [key, weight] of vector) {
        const { weaknesses, weights } = postingOf(key);
        for (let at = 0; at < weaknesses.length; at += 1) {
          const weakness = weaknesses[at] ?? 0;
          scores[weakness] = (scores[weakness] ?? 0) + weight * (weights[at] ?? 0);
        }
      }
      return scores;
    },
    likely(scores) {
      const roots = rootsOf(scores);
      const wider = new Map<number, number>();
      for (const [part, root] of roots) {
        for (const [, whole] of wholes.get(part) ?? []) {
          wider.set(whole, Math.min(1, Math.hypot(root, wider.get(whole) ?? 0)));
        }
      }
      return { roots, wider };
    },
  };
}

/** How much a word or concept tells that so many of all weaknesses have. @internal */
export function rarityIn(weaknesses: number): (key: string, having: number) => number {
  return (key, having) => (key.startsWith('#') ? CONCEPT_WEIGHT : 1) * Math.log((weaknesses + 1) / (having + 0.5));
}

/** A vector of length 1. @internal */
export function normalized(vector: Map<string, number>): Map<string, number> {
  let squares = 0;
  for (const weight of vector.values()) squares += weight * weight;
  const length = Math.sqrt(squares);
  if (length > 0) for (const [key, weight] of vector) vector.set(key, weight / length);
  return vector;
}

function rootsOf(scores: Float64Array): Map<number, number> {
  let best = 0;
  for (let weakness = 0; weakness < scores.length; weakness += 1) best = Math.max(best, scores[weakness] ?? 0);
  const likely = new Map<number, number>();
  if (best === 0) return likely;
  const least = best + Math.log(LEAST) / SHARPNESS;
  let total = 0;
  for (let weakness = 0; weakness < scores.length; weakness += 1) {
    const score = scores[weakness] ?? 0;
    if (score < least) continue;
    const share = Math.exp(SHARPNESS * (score - best));
    likely.set(weakness, Math.sqrt(share));
    total += share;
  }
  for (const [weakness, root] of likely) likely.set(weakness, root / Math.sqrt(total));
  return likely;
}

/** How far two texts are near the same weaknesses, from 0 to 1. */
export function weaknessesInCommon(a: LikelyWeaknesses, b: LikelyWeaknesses): number {
  const same = inCommon(a.roots, b.roots);
  if (a.wider.size + b.wider.size === 0) return same;
  // Two parts of one whole are different weaknesses, so only one side counts as its whole.
  return Math.max(same, WIDER * inCommon(a.wider, b.roots), WIDER * inCommon(a.roots, b.wider));
}

function inCommon(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const [weakness, root] of fewer) common += root * (more.get(weakness) ?? 0);
  return common;
}

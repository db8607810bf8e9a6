import { memoByWord, once, remembered } from 'salvo/kit/text';
import { weaknessById } from '../../weaknesses/weaknesses.ts';
import { createWeaknessScores, type KeyWeights, pairsIn, type Scores, type WeaknessTable } from './weakness-scores.ts';

/** What a text says, as far as it tells weaknesses apart. */
export interface WeaknessKeys {
  words: Iterable<{ text: string; synonyms: readonly (readonly [string, number])[] }>;
  concepts: Iterable<string>;
  /** The words of the text below the headline. */
  below: Iterable<string>;
}

/** The weaknesses that a text may be about. */
export interface LikelyWeaknesses {
  /** By index: the square root of the probability of each. The probabilities add up to `known`. */
  roots: ReadonlyMap<number, number>;
  /** The same for those that these are parts of: every case of an open port is a case of an open ingress. */
  wider: ReadonlyMap<number, number>;
  /** The probability that it is about a weakness that the table has. */
  known: number;
}

/** The types of the resources that a text is about, and the words of its headline, which may name a cloud. */
export interface Subject {
  types: readonly string[];
  words: readonly string[];
}

/** A word that may replace a word of the text counts less than that word. */
const SYNONYM_WEIGHT = 0.3;
/** A weaker synonym is not looked up. */
const LEAST_SYNONYM = 0.4;
/** A word below the headline, which may be about something else. All of them count at most as much as the headline. */
const BELOW_WEIGHT = 0.3;
/** A word names a cloud if so many weaknesses have it, and nearly all of them are of this cloud. */
const MANY = 20;
const NEARLY_ALL = 0.97;
/** What the score of a weakness gains if it is one of the text's type of resource. */
const OF_THE_TYPE = 1.5;
/** How far a weakness and one that it is part of count as the same. */
const WIDER = 0.8;
/** How much a better score raises the probability. It is less than 1, since the words of a text depend on each other. */
const SHARPNESS = 0.7;
/** The table has most weaknesses, so one that it does not have is less likely by this logarithm. */
const OTHER_LOSS = 1;
/** A weakness with less than this share of the best one's probability is left out. */
const LEAST = 0.05;

export function createNearestWeaknesses(table: WeaknessTable) {
  const wholes = Map.groupBy(table.part_of, ([part]) => part);
  const { has, scoresOf } = createWeaknessScores(table);
  const clouds = table.services.map((service) => service.slice(0, service.indexOf(':')));
  const byType = once(() => weaknessesByType(table.ids));

  /** The cloud that nearly all weaknesses with a word belong to: `s3` is of AWS. */
  const cloudOfWord = memoByWord((word): string | null => {
    const having = pairsIn(has(word) ? (table.keys[word] ?? []) : []);
    const counts = Map.groupBy(having, ([weakness]) => clouds[weakness] ?? '');
    const [first] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
    const isSure = first && having.length >= MANY && first[1].length >= NEARLY_ALL * having.length;
    return isSure ? first[0] : null;
  });

  function fittingScores({ ofWeaknesses, ofOther }: Scores, { types, words }: Subject): Scores {
    const ofTypes = types.flatMap((type) => cloudOf(type) ?? []);
    const wanted = new Set(ofTypes.length > 0 ? ofTypes : words.flatMap((word) => cloudOfWord(word) ?? []));
    const listed = new Set(types.flatMap((type) => byType().get(type) ?? []));
    if (wanted.size === 0 && listed.size === 0) return { ofWeaknesses, ofOther };
    const fitting = ofWeaknesses.map((score, index) => {
      if (wanted.size > 0 && !wanted.has(clouds[index] ?? '')) return 0;
      return listed.has(index) ? score + OF_THE_TYPE : score;
    });
    return { ofWeaknesses: fitting, ofOther };
  }

  return {
    ids: table.ids,
    weightsOf({ words, concepts, below }: WeaknessKeys): KeyWeights {
      const weights = new Map<string, number>();
      const raise = (key: string, weight: number): void => {
        if (weight > (weights.get(key) ?? 0) && has(key)) weights.set(key, weight);
      };
      for (const { text } of words) raise(text, 1);
      const headline = weights.size;
      for (const concept of concepts) raise(concept, 1);
      for (const { synonyms } of words) {
        for (const [synonym, strength] of synonyms) {
          if (strength >= LEAST_SYNONYM) raise(synonym, SYNONYM_WEIGHT * strength);
        }
      }
      const rest = [...below].filter(has);
      for (const word of rest) raise(word, Math.min(BELOW_WEIGHT, Math.max(1, headline) / rest.length));
      return weights;
    },
    scoresOf,
    /** What the text is about says which weaknesses there can be. */
    likely(scores: Scores, subject?: Subject): LikelyWeaknesses {
      const { roots, known } = rootsOf(subject === undefined ? scores : fittingScores(scores, subject));
      const wider = new Map<number, number>();
      for (const [part, root] of roots) {
        for (const [, whole] of wholes.get(part) ?? []) {
          wider.set(whole, Math.min(1, Math.hypot(root, wider.get(whole) ?? 0)));
        }
      }
      return { roots, wider, known };
    },
  };
}

/** By the types of the resources that a weakness is found in, in lower case: the indices of the weaknesses. */
function weaknessesByType(ids: readonly string[]): Map<string, number[]> {
  const byType = new Map<string, number[]>();
  for (const [index, id] of ids.entries()) {
    const { terraform, cloudformation } = weaknessById(id) ?? {};
    for (const type of [...(terraform?.types ?? []), ...(cloudformation?.types ?? [])]) {
      remembered(byType, type.toLowerCase(), () => []).push(index);
    }
  }
  return byType;
}

const CLOUDS: readonly (readonly [prefix: string, cloud: string])[] = [
  ['aws_', 'aws'],
  ['aws::', 'aws'],
  ['azurerm_', 'azure'],
  ['google_', 'gcp'],
  ['kubernetes_', 'kubernetes'],
];

/** The cloud of a type such as `aws_s3_bucket`; null if it has none. */
function cloudOf(type: string): string | null {
  return CLOUDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? null;
}

function rootsOf({ ofWeaknesses, ofOther }: Scores): Omit<LikelyWeaknesses, 'wider'> {
  let best = ofOther - OTHER_LOSS;
  for (let weakness = 0; weakness < ofWeaknesses.length; weakness += 1) {
    best = Math.max(best, ofWeaknesses[weakness] ?? 0);
  }
  const shareOf = (score: number): number => Math.exp(SHARPNESS * (score - best));
  const least = best + Math.log(LEAST) / SHARPNESS;
  const roots = new Map<number, number>();
  let sum = 0;
  for (let weakness = 0; weakness < ofWeaknesses.length; weakness += 1) {
    const score = ofWeaknesses[weakness] ?? 0;
    // With a score of 0 the text is no likelier than in general: none of its words is known.
    if (score < least || score <= 0) continue;
    const share = shareOf(score);
    roots.set(weakness, Math.sqrt(share));
    sum += share;
  }
  const total = sum + shareOf(ofOther - OTHER_LOSS);
  for (const [weakness, root] of roots) roots.set(weakness, root / Math.sqrt(total));
  return { roots, known: sum / total };
}

/** How far two texts are near the same weaknesses, how far near different ones, and how far near a single one. */
export function compareWeaknesses(
  a: LikelyWeaknesses,
  b: LikelyWeaknesses,
): { weaknesses: number; otherWeaknesses: number; oneWeakness: number } {
  const { all, most } = inCommonOrWider(a, b);
  return { weaknesses: all, otherWeaknesses: Math.max(0, a.known * b.known - all), oneWeakness: most };
}

interface InCommon {
  all: number;
  /** The part of the weakness that has the most. Two vague texts share many weaknesses, and each a little. */
  most: number;
}

function inCommonOrWider(a: LikelyWeaknesses, b: LikelyWeaknesses): InCommon {
  const same = inCommon(a.roots, b.roots);
  if (a.wider.size + b.wider.size === 0) return same;
  // Two parts of one whole are different weaknesses, so only one side counts as its whole.
  const [ofA, ofB] = [inCommon(a.wider, b.roots), inCommon(a.roots, b.wider)];
  return {
    all: Math.max(same.all, WIDER * ofA.all, WIDER * ofB.all),
    most: Math.max(same.most, WIDER * ofA.most, WIDER * ofB.most),
  };
}

function inCommon(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): InCommon {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  let [all, most] = [0, 0];
  for (const [weakness, root] of fewer) {
    const common = root * (more.get(weakness) ?? 0);
    all += common;
    most = Math.max(most, common);
  }
  return { all, most };
}

/** The weakness that both texts are most likely about; null if there is none. */
export function weaknessOfBoth(a: LikelyWeaknesses, b: LikelyWeaknesses): number | null {
  let best: { weakness: number; share: number } | null = null;
  for (const [weakness, root] of a.roots) {
    const share = root * Math.max(b.roots.get(weakness) ?? 0, b.wider.get(weakness) ?? 0);
    if (share > (best?.share ?? 0)) best = { weakness, share };
  }
  return best?.weakness ?? null;
}

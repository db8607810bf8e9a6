import { memoByWord } from 'salvo/kit/text';
import type { WordTable } from '../lexicon/word-table.ts';

/** How often the sentences about each weakness have each word and concept. */
export type WeaknessTable = WordTable['weaknesses'];

/** How much each word and concept of a text counts. */
export type KeyWeights = ReadonlyMap<string, number>;

/** The logarithm of how much likelier a text is than in general, if it is about a weakness. */
export interface Scores {
  /** By the weakness's index. */
  ofWeaknesses: Float64Array;
  /** If it is about a weakness that the table does not have. */
  ofOther: number;
}

/**
 * A weakness has few sentences. So the words of its service are expected in it as well, as if they had been counted in
 * so many further words of it; and in a service the words of all services, as if counted in so many further weaknesses.
 */
const WORDS_OF_SERVICE = 25;
const WEAKNESSES_OF_ALL = 30;
/** More words of a weakness do not make its counts more certain. */
const MOST_WORDS = 40;
/** A word or concept is expected in this many weaknesses more than those that have it. */
const UNCOUNTED = 0.1;

/**
 * Scores texts by naive Bayes. The words of a weakness are smoothed by those of its service, and these by those of all
 * services. So the name of a service tells services apart, and within the service the other words decide.
 */
export function createWeaknessScores({ ids, services, keys }: WeaknessTable) {
  const names = [...new Set(services)];
  const serviceOf = Uint16Array.from(services, (name) => names.indexOf(name));
  const weaknessesOf = new Float64Array(names.length);
  for (const service of serviceOf) weaknessesOf[service] = at(weaknessesOf, service) + 1;
  const wordsOf = new Float64Array(ids.length);
  for (const pairs of Object.values(keys)) {
    for (const [weakness, count] of pairsIn(pairs)) wordsOf[weakness] = at(wordsOf, weakness) + count;
  }
  const allKeys = Object.keys(keys).length;

  /** The expected share of a key in the words of a weakness of the service. */
  function createExpectation(key: string): { having: Map<number, number>; expected(service: number): number } {
    const having = new Map<number, number>();
    let total = UNCOUNTED;
    for (const [weakness, count] of pairsIn(keys[key] ?? [])) {
      const share = count / at(wordsOf, weakness);
      const service = at(serviceOf, weakness);
      having.set(service, (having.get(service) ?? 0) + share);
      total += share;
    }
    const inGeneral = total / (ids.length + UNCOUNTED * allKeys);
    return {
      having,
      expected: (service) =>
        ((having.get(service) ?? 0) + WEAKNESSES_OF_ALL * inGeneral) / (at(weaknessesOf, service) + WEAKNESSES_OF_ALL),
    };
  }

  /** What a word or concept adds to the scores of the services and of the weaknesses that have it. */
  const postingOf = memoByWord((key) => {
    const pairs = pairsIn(Object.hasOwn(keys, key) ? (keys[key] ?? []) : []);
    const { having, expected } = createExpectation(key);
    const inServices = [...having];
    return {
      services: Uint16Array.from(inServices, ([service]) => service),
      ofServices: Float64Array.from(inServices, ([service, share]) => {
        const all = at(weaknessesOf, service) + WEAKNESSES_OF_ALL;
        return -Math.log(1 - share / (all * expected(service)));
      }),
      weaknesses: Uint16Array.from(pairs, ([weakness]) => weakness),
      ofWeaknesses: Float64Array.from(pairs, ([weakness, count]) =>
        gain(count, at(wordsOf, weakness), expected(at(serviceOf, weakness))),
      ),
    };
  });

  /** What a key subtracts from the score of a service that lacks it, and of a weakness with so many words. */
  const lossOfService = Float64Array.from(weaknessesOf, (of) => Math.log(WEAKNESSES_OF_ALL / (of + WEAKNESSES_OF_ALL)));
  const lossOfWeakness = Float64Array.from(wordsOf, (words) =>
    Math.log(WORDS_OF_SERVICE / (Math.min(words, MOST_WORDS) + WORDS_OF_SERVICE)),
  );

  return {
    /** Whether any weakness has the word or concept. */
    has: (key: string) => Object.hasOwn(keys, key),
    scoresOf(weights: KeyWeights): Scores {
      const ofServices = new Float64Array(names.length);
      const ofWeaknesses = new Float64Array(ids.length);
      let total = 0;
      for (const [key, weight] of weights) {
        const posting = postingOf(key);
        total += weight;
        for (let n = 0; n < posting.services.length; n += 1) {
          const service = at(posting.services, n);
          ofServices[service] = at(ofServices, service) + weight * at(posting.ofServices, n);
        }
        for (let n = 0; n < posting.weaknesses.length; n += 1) {
          const weakness = at(posting.weaknesses, n);
          ofWeaknesses[weakness] = at(ofWeaknesses, weakness) + weight * at(posting.ofWeaknesses, n);
        }
      }
      // A text of an unknown service is as likely as in general.
      let ofOther = 0;
      for (let service = 0; service < names.length; service += 1) {
        ofServices[service] = at(ofServices, service) + total * at(lossOfService, service);
        ofOther = Math.max(ofOther, at(ofServices, service));
      }
      for (let weakness = 0; weakness < ids.length; weakness += 1) {
        ofWeaknesses[weakness] =
          at(ofWeaknesses, weakness) + total * at(lossOfWeakness, weakness) + at(ofServices, at(serviceOf, weakness));
      }
      return { ofWeaknesses, ofOther };
    },
  };
}

/** What it adds that a weakness has a word, which was expected with this share. */
function gain(count: number, words: number, expected: number): number {
  return Math.log(1 + ((count / words) * Math.min(words, MOST_WORDS)) / (WORDS_OF_SERVICE * expected));
}

/** A list of `keys` as pairs of the index of a weakness and a count. */
export function pairsIn(list: readonly number[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let n = 0; n < list.length; n += 2) pairs.push([list[n] ?? 0, list[n + 1] ?? 0]);
  return pairs;
}

function at(values: Uint16Array | Float64Array, index: number): number {
  return values[index] ?? 0;
}

import type { WordEvidence, WordTable } from '../../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import { countSynonyms } from './count-synonyms.ts';
import { countWeaknesses } from './count-weaknesses.ts';
import { CONCEPT, keysOfSentences, wordOf } from './sentence-keys.ts';
import type { PhrasedWeakness } from './training-data.ts';

/** What the sentences of a weakness say: for each sentence its words and concepts. */
interface ReadWeakness {
  id: string;
  service: string;
  wholes: readonly string[];
  sentences: ReadonlySet<string>[];
}

interface Counts {
  /** How often the word was looked for in another sentence of the same weakness, and found. */
  same: number;
  inSame: number;
  /** How often it was looked for in sentences of other weaknesses of the service, and found. */
  different: number;
  inDifferent: number;
  /** In pairs of weaknesses of one service of which one has the word: how often, and how often the other has it, too. */
  pairs: number;
  shared: number;
  services: Set<string>;
}

/** How many weaknesses the expectation of a word counts as, before it is counted. */
const PRIOR_WEAKNESSES = 2;
/** A word is expected to be in this share of the other weaknesses of a service, as if counted in so many pairs. */
const PRIOR_SHARE = 0.05;
const PRIOR_PAIRS = 10;
const CERTAIN = 0.995;
/** A word that only this share of the other weaknesses has is as telling as a word can be. */
const MOST_TELLING = 0.05;

/**
 * What every word and concept tells, counted in the sentences of weaknesses. A word is good evidence if other sentences
 * about the same weakness also have it, and sentences about other weaknesses of the same service do not.
 */
export function countWords(
  weaknesses: readonly (Omit<PhrasedWeakness, 'sentences'> & { sentences: readonly { text: string }[] })[],
): WordTable {
  const counts = new Map<string, Counts>();
  const read: ReadWeakness[] = weaknesses.map(({ id, service, sentences, wholes = [] }) => ({
    id,
    service,
    wholes,
    sentences: keysOfSentences(sentences),
  }));
  for (const [service, of] of Map.groupBy(read, (weakness) => weakness.service)) countService(counts, service, of);
  const all = [...counts];
  const ofWords = all.filter(([key]) => !key.startsWith(CONCEPT));
  const ofConcepts = all.filter(([key]) => key.startsWith(CONCEPT));
  const word = expectation(ofWords.map(([, of]) => of));
  const concept = expectation(ofConcepts.map(([, of]) => of));
  return {
    unseen_word: { ...evidenceOf(NOTHING, word), weight: 1 },
    unseen_concept: { ...evidenceOf(NOTHING, concept), weight: 1 },
    words: sorted(ofWords.map(([key, of]) => [key, evidenceOf(of, word)])),
    synonyms: countSynonyms(read.map(({ sentences }) => sentences.map((keys) => [...keys].flatMap(wordOf)))),
    concepts: sorted(ofConcepts.map(([key, of]) => [key.slice(CONCEPT.length), evidenceOf(of, concept)])),
    weaknesses: countWeaknesses(read),
  };
}

const NOTHING: Counts = {
  same: 0,
  inSame: 0,
  different: 0,
  inDifferent: 0,
  pairs: 0,
  shared: 0,
  services: new Set(),
};
function countService(counts: Map<string, Counts>, service: string, weaknesses: readonly ReadWeakness[]): void {
  /** In how many sentences, and in how many weaknesses, each word is. */
  const sentences = new Map<string, number>();
  const having = new Map<string, number>();
  for (const weakness of weaknesses) {
    for (const sentence of weakness.sentences) for (const key of sentence) add(sentences, key);
    for (const key of new Set(weakness.sentences.flatMap((sentence) => [...sentence]))) add(having, key);
  }
  const allSentences = weaknesses.reduce((sum, { sentences: of }) => sum + of.length, 0);
  for (const { sentences: own } of weaknesses) {
    for (const sentence of own) {
      for (const key of sentence) {
        const of = counts.get(key) ?? { ...NOTHING, services: new Set<string>() };
        counts.set(key, of);
        of.services.add(service);
        const inOwn = own.filter((other) => other.has(key)).length;
        // Every weakness counts once, however many sentences it has.
        if (own.length > 1) {
          of.same += 1 / own.length;
          of.inSame += (inOwn - 1) / (own.length - 1) / own.length;
        }
        if (allSentences > own.length) {
          of.different += 1 / own.length;
          of.inDifferent += ((sentences.get(key) ?? 0) - inOwn) / (allSentences - own.length) / own.length;
        }
      }
    }
  }
  for (const [key, number] of having) {
    const of = counts.get(key);
    if (of === undefined) continue;
    of.pairs += number * (weaknesses.length - 1);
    of.shared += number * (number - 1);
  }
}

interface Expectation {
  same: number;
  different: number;
}

/** What is expected of a word that has not been seen: what holds for words of a single service. */
function expectation(counts: readonly Counts[]): Expectation {
  const rare = counts.filter(({ services }) => services.size === 1);
  const sum = (field: 'same' | 'inSame' | 'different' | 'inDifferent') =>
    rare.reduce((total, of) => total + of[field], 0);
  return { same: sum('inSame') / sum('same'), different: sum('inDifferent') / sum('different') };
}

function evidenceOf(of: Counts, expected: Expectation): WordEvidence {
  // Nothing is certain, however often it was counted.
  const within = (share: number) => Math.min(CERTAIN, Math.max(1 - CERTAIN, share));
  const same = within((of.inSame + PRIOR_WEAKNESSES * expected.same) / (of.same + PRIOR_WEAKNESSES));
  const different = within(
    (of.inDifferent + PRIOR_WEAKNESSES * expected.different) / (of.different + PRIOR_WEAKNESSES),
  );
  const shared = (of.shared + PRIOR_PAIRS * PRIOR_SHARE) / (of.pairs + PRIOR_PAIRS);
  return {
    weight: rounded(Math.max(0, Math.min(1, Math.log(shared) / Math.log(MOST_TELLING)))),
    present: rounded(Math.max(0, Math.log(same / different))),
    missing: rounded(Math.min(0, Math.log((1 - same) / (1 - different)))),
  };
}

function sorted(entries: [string, WordEvidence][]): Record<string, WordEvidence> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function rounded(value: number): number {
  // Without the negative zero that rounding can give.
  return Math.round(value * 100) / 100 + 0;
}

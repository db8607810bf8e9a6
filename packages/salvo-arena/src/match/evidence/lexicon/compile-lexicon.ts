import { memoByWord, stem, wordsOf } from 'salvo/kit/text';
import { createNearestWeaknesses } from '../weaknesses/nearest-weaknesses.ts';
import { affinities, type Nearness } from './affinity.ts';
import type { Concept } from './compiled-lexicon.ts';
import { decidingKinds } from './deciding-kinds.ts';
import type { LexiconFile } from './lexicon-schema.ts';
import { createPhraseTable } from './phrase-table.ts';
import { createServiceSpelling } from './service-spelling.ts';
import type { WordEvidence, WordTable } from './word-table.ts';

/** What the words of findings mean. Concepts are identified by index. */
export type Lexicon = ReturnType<typeof compileLexicon>;

/** How far two objects with the same parent count as the same. */
const SIBLINGS = 0.4;

const SILENT: WordEvidence = { weight: 0, present: 0, missing: 0 };

const NO_SYNONYMS: [string, number][] = [];

/** Turns names into indices and lists into tables. Throws when the file refers to a name that it does not define. */
export function compileLexicon(file: LexiconFile, table: WordTable) {
  const aspects = Object.entries(file.aspects).map(([id, entry], index) => ({ ...entry, id, index }));
  const objects = Object.entries(file.objects).map(([id, entry], at) => ({ ...entry, id, index: aspects.length + at }));
  const details = Object.entries(file.qualifiers).flatMap(([dimension, values]) =>
    Object.entries(values).map(([id, words]) => ({ id, words, dimension })),
  );
  const aspectNamed = lookUpByName(aspects);
  const objectNamed = lookUpByName(objects);
  const concepts = [
    ...aspects.map(({ id, says, under, kin, coarse, siblings }): Concept => {
      const parent = under === undefined ? -1 : aspectNamed(under);
      return { kind: 'aspect', id, says, yields: coarse, dimension: '', parent, kin, siblings };
    }),
    ...objects.map(({ id, says, under, kin, weak }): Concept => {
      const parent = under === undefined ? -1 : objectNamed(under);
      return { kind: 'object', id, says, yields: weak, dimension: '', parent, kin, siblings: SIBLINGS };
    }),
    ...details.map(({ id, words, dimension }): Concept => {
      const says = words[0] ?? id;
      return { kind: 'qualifier', id, says, yields: false, dimension, parent: -1, kin: 1, siblings: 0 };
    }),
  ];
  const words = new Map(Object.entries(table.words));
  const phraseWords = new Set([...aspects, ...objects, ...details].flatMap((entry) => entry.words.flatMap(wordsOf)));
  const services = table.weaknesses.services.map((service) => service.slice(service.indexOf(':') + 1));
  const isKnown = (word: string) => phraseWords.has(word) || words.has(stem(word));
  const phrases = createPhraseTable(file.abbreviations, createServiceSpelling(services, isKnown));
  for (const [index, { words }] of [...aspects, ...objects, ...details].entries()) {
    for (const phrase of words) phrases.add(phrase, index);
  }
  const silent = stemsOf(file.silent);
  const synonyms = new Map(Object.entries(table.synonyms).map(([word, of]) => [word, Object.entries(of)]));
  return {
    concepts,
    phrases,
    deciding: decidingKinds(file.deciding, phrases),
    affinity: affinities(concepts, [...nearnesses(aspects, aspectNamed), ...nearnesses(objects, objectNamed)]),
    /** The object of a type of resource; null when the lexicon does not know the type. */
    objectOfType: typeLookup(objects),
    /** The object that an aspect implies. */
    implied: new Map(
      aspects.flatMap(({ index, implies }) => (implies === undefined ? [] : [[index, objectNamed(implies)] as const])),
    ),
    /** The aspect that is missing where an object is missing. */
    provided: new Map(
      objects.flatMap(({ index, provides }) =>
        provides === undefined ? [] : [[index, aspectNamed(provides)] as const],
      ),
    ),
    /** By aspect, those that are not meant next to it, though their words occur. */
    overrides: new Map(aspects.map(({ index, overrides }) => [index, overrides.map(aspectNamed)])),
    /** By object, what an aspect means when it is said of that object. */
    meanings: new Map(
      objects.map(({ index, means }) => [
        index,
        new Map(Object.entries(means).map(([said, meant]) => [aspectNamed(said), aspectNamed(meant)])),
      ]),
    ),
    /** By object, the aspects next to which it is only a means. */
    mere: new Map(objects.map(({ index, mere }) => [index, mere.map(aspectNamed)])),
    /** By dimension, the aspect that is meant when only a detail of it is stated. */
    dimensionAspects: new Map(
      Object.entries(file.dimension_aspects).map(([dimension, aspect]) => [dimension, aspectNamed(aspect)]),
    ),
    /** Stems of words that are no evidence if they are all that two claims share. */
    generic: stemsOf(file.generic),
    /** What a word tells, by its stem. */
    evidenceOfWord: (stem: string): WordEvidence =>
      silent.has(stem) ? SILENT : (words.get(stem) ?? table.unseen_word),
    /** Words that may replace a word, by its stem, and how far they do. */
    synonymsOf: (stem: string) => synonyms.get(stem) ?? NO_SYNONYMS,
    /** What each concept tells, by its index. */
    evidenceOfConcept: concepts.map(({ id }) => table.concepts[id] ?? table.unseen_concept),
    weaknesses: createNearestWeaknesses(table.weaknesses),
    /** Phrases that say that something is in order: words with a blank around each. */
    sound: file.sound.map((phrase) => ` ${wordsOf(phrase).join(' ')} `),
  };
}

function stemsOf(phrases: readonly string[]): Set<string> {
  return new Set(phrases.flatMap((phrase) => wordsOf(phrase).map(stem)));
}

function nearnesses(
  entries: readonly { index: number; near: Readonly<Record<string, number>> }[],
  named: (id: string) => number,
): Nearness[] {
  return entries.flatMap(({ index, near }) =>
    Object.entries(near).map(([other, share]) => ({ a: index, b: named(other), share })),
  );
}

/** The longest prefix decides: `aws_s3_bucket_object` wins over `aws_s3_`. */
function typeLookup(objects: readonly { index: number; types?: string[] | undefined }[]) {
  const prefixes = objects
    .flatMap(({ index, types = [] }) => types.map((type) => ({ prefix: type.toLowerCase(), object: index })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const lookUp = memoByWord((type) => ({
    object: prefixes.find(({ prefix }) => type.startsWith(prefix))?.object ?? null,
  }));
  return (type: string): number | null => lookUp(type).object;
}

function lookUpByName(entries: readonly { id: string; index: number }[]): (id: string) => number {
  const indices = new Map(entries.map(({ id, index }) => [id, index]));
  return (id) => {
    const index = indices.get(id);
    if (index === undefined) throw new Error(`The lexicon refers to '${id}' but does not define it.`);
    return index;
  };
}

import { memoByWord, stem, wordsOf } from '../../text/words.ts';
import { affinities, type Nearness } from './affinity.ts';
import type { Concept, Lexicon } from './compiled-lexicon.ts';
import type { LexiconFile } from './lexicon-schema.ts';
import { createPhraseTable } from './phrase-table.ts';

/** The weight of a word that many findings use. */
const COMMON = 0.3;
/** How far two objects with the same parent count as the same. */
const SIBLINGS = 0.4;

/** Turns names into indices and lists into tables. Throws when the file refers to a name that it does not define. */
export function compileLexicon(file: LexiconFile): Lexicon {
  const aspects = numberNames(file.aspects, 0);
  const objects = numberNames(file.objects, aspects.size);
  const phrases = createPhraseTable(file.abbreviations);
  const concepts: Concept[] = [];
  const near: Nearness[] = [];

  function add(concept: Concept, words: readonly string[]): void {
    for (const phrase of words) phrases.add(phrase, concepts.length);
    concepts.push(concept);
  }
  for (const [id, { says, words, under, kin, coarse, siblings, near: others }] of Object.entries(file.aspects)) {
    for (const [other, share] of Object.entries(others))
      near.push({ a: concepts.length, b: indexOfName(aspects, other), share });
    const parent = under === undefined ? -1 : indexOfName(aspects, under);
    add({ kind: 'aspect', id, says, yields: coarse, dimension: '', parent, kin, siblings }, words);
  }
  for (const [id, { says, words, under, kin, weak, near: others }] of Object.entries(file.objects)) {
    for (const [other, share] of Object.entries(others))
      near.push({ a: concepts.length, b: indexOfName(objects, other), share });
    const parent = under === undefined ? -1 : indexOfName(objects, under);
    add({ kind: 'object', id, says, yields: weak, dimension: '', parent, kin, siblings: SIBLINGS }, words);
  }
  for (const [dimension, values] of Object.entries(file.qualifiers)) {
    for (const [id, words] of Object.entries(values)) {
      add(
        { kind: 'qualifier', id, says: words[0] ?? id, yields: false, dimension, parent: -1, kin: 1, siblings: 0 },
        words,
      );
    }
  }

  const everyAspect = Object.entries(file.aspects).map(([id, entry]) => ({
    ...entry,
    index: indexOfName(aspects, id),
  }));
  const everyObject = Object.entries(file.objects).map(([id, entry]) => ({
    ...entry,
    index: indexOfName(objects, id),
  }));
  return {
    concepts,
    phrases,
    affinity: affinities(concepts, near),
    objectOfType: typeLookup(everyObject),
    implied: new Map(
      everyAspect.flatMap(({ index, implies }) =>
        implies === undefined ? [] : [[index, indexOfName(objects, implies)]],
      ),
    ),
    provided: new Map(
      everyObject.flatMap(({ index, provides }) =>
        provides === undefined ? [] : [[index, indexOfName(aspects, provides)]],
      ),
    ),
    overrides: new Map(
      everyAspect.map(({ index, overrides }) => [index, overrides.map((id) => indexOfName(aspects, id))]),
    ),
    meanings: new Map(
      everyObject.map(({ index, means }) => [
        index,
        new Map(
          Object.entries(means).map(([said, meant]) => [indexOfName(aspects, said), indexOfName(aspects, meant)]),
        ),
      ]),
    ),
    mere: new Map(everyObject.map(({ index, mere }) => [index, mere.map((id) => indexOfName(aspects, id))])),
    dimensionAspects: new Map(
      Object.entries(file.dimension_aspects).map(([dimension, aspect]) => [dimension, indexOfName(aspects, aspect)]),
    ),
    weights: new Map([
      ...file.common.map((word): [string, number] => [stem(word), COMMON]),
      ...file.generic.flatMap((phrase) => wordsOf(phrase).map((word): [string, number] => [stem(word), 0])),
    ]),
    sound: file.sound.map((phrase) => ` ${wordsOf(phrase).join(' ')} `),
  };
}

/** The longest prefix decides: `aws_s3_bucket_object` wins over `aws_s3_`. */
function typeLookup(objects: readonly { index: number; types?: string[] | undefined }[]): Lexicon['objectOfType'] {
  const prefixes = objects
    .flatMap(({ index, types = [] }) => types.map((type) => ({ prefix: type.toLowerCase(), object: index })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const lookUp = memoByWord((type) => ({
    object: prefixes.find(({ prefix }) => type.startsWith(prefix))?.object ?? null,
  }));
  return (type) => lookUp(type).object;
}

function numberNames(family: Readonly<Record<string, unknown>>, first: number): Map<string, number> {
  return new Map(Object.keys(family).map((id, position) => [id, first + position]));
}

function indexOfName(indices: ReadonlyMap<string, number>, id: string): number {
  const index = indices.get(id);
  if (index === undefined) throw new Error(`The lexicon refers to '${id}' but does not define it.`);
  return index;
}

import type { NearestWeaknesses } from '../weaknesses/nearest-weaknesses.ts';
import type { PhraseTable } from './phrase-table.ts';
import type { WordEvidence } from './word-table.ts';

export type ConceptKind = 'aspect' | 'object' | 'qualifier';

/** Something that the lexicon defines and a claim can mention. Its index in the lexicon identifies it. */
export interface Concept {
  kind: ConceptKind;
  id: string;
  /** Its name in explanations. */
  says: string;
  /** It is ignored next to any other concept of its kind. */
  yields: boolean;
  /** Only of a qualifier. Two values of one dimension exclude each other. */
  dimension: string;
  /** The concept that it belongs to; -1 for none. */
  parent: number;
  /** How far it counts as its parent. */
  kin: number;
  /** How far two concepts that belong to it count as the same. */
  siblings: number;
}

/** What the words of findings mean. Concepts are identified by index. */
export interface Lexicon {
  concepts: readonly Concept[];
  phrases: PhraseTable;
  /** See `affinities`. */
  affinity: Float64Array;
  /** The object of a type of resource; null when the lexicon does not know the type. */
  objectOfType(type: string): number | null;
  /** The object that an aspect implies. */
  implied: ReadonlyMap<number, number>;
  /** The aspect that is missing where an object is missing. */
  provided: ReadonlyMap<number, number>;
  /** By aspect, those that are not meant next to it, though their words occur. */
  overrides: ReadonlyMap<number, readonly number[]>;
  /** By object, what an aspect means when it is said of that object. */
  meanings: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By object, the aspects next to which it is only a means. */
  mere: ReadonlyMap<number, readonly number[]>;
  /** By dimension, the aspect that is meant when only a detail of it is stated. */
  dimensionAspects: ReadonlyMap<string, number>;
  /** Stems of words that are no evidence if they are all that two claims share. */
  generic: ReadonlySet<string>;
  /** What a word tells, by its stem. */
  evidenceOfWord(stem: string): WordEvidence;
  /** Words that may replace a word, by its stem, and how far they do. */
  synonymsOf(stem: string): readonly (readonly [string, number])[];
  /** What each concept tells, by its index. */
  evidenceOfConcept: readonly WordEvidence[];
  weaknesses: NearestWeaknesses;
  /** Phrases that say that something is in order: words with a blank around each. */
  sound: readonly string[];
}

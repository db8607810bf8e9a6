import type { PhraseTable } from './phrase-table.ts';

export type ConceptKind = 'aspect' | 'object' | 'qualifier';

/** Something that the lexicon knows and that a claim can mention. It is referred to by its index in the lexicon. */
export interface Concept {
  kind: ConceptKind;
  id: string;
  /** How a person is told of it. */
  says: string;
  /** It yields to any other of its kind. */
  yields: boolean;
  /** Of a qualifier; two values of one dimension exclude each other. */
  dimension: string;
  /** The concept that it belongs to; -1 for none. */
  parent: number;
  /** How far it counts as its parent. */
  kin: number;
  /** How far those that belong to it count as the same: they are told apart for a reason. */
  siblings: number;
}

/** What the words of findings mean, ready for use. Concepts are given by index. */
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
  /** By aspect, those that are not meant beside it. */
  overrides: ReadonlyMap<number, readonly number[]>;
  /** By object, what an aspect means when it is said of that. */
  meanings: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By object, the aspects beside which it is a mere means. */
  mere: ReadonlyMap<number, readonly number[]>;
  /** By dimension, what is wrong when a detail of it is all that is said. */
  dimensionAspects: ReadonlyMap<string, number>;
  /** How much a word says that is no concept, by its stem; 1 for one that is not here. */
  weights: ReadonlyMap<string, number>;
  /** Phrases that praise: words with blanks around each. */
  sound: readonly string[];
}

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

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

/** A typed question to a decision model, which answers with probabilities instead of text. */
export type DecisionQuestion =
  /** How likely each of these levels is, from the lowest to the highest. */
  | { type: 'score'; name: string; instructions: string; levels: readonly DecisionLevel[] }
  /** How likely it is that a statement is true. */
  | { type: 'predicate'; name: string; instructions: string };

export interface DecisionLevel {
  /** Unique in its question: answers name it. */
  label: string;
  description: string;
}

/** One answer, as an adapter passes it on. Whoever asked checks it: a server may have sent anything. */
export type DecisionAnswer =
  | { type: 'score'; name: string; probabilities: { label: string; probability: number }[] }
  | { type: 'predicate'; name: string; probability: number }
  | { type: 'refusal'; name: string };

import type { CandidateGraph } from './candidate-graph.ts';

/**
 * A pairing on its way to the optimum, with the proof that it is one.
 *
 * Every vertex has a dual of at least 0. Those of the two ends of a candidate add up to at least its worth (but for
 * searchers that had no turn yet), those of a pair to exactly its worth, and a vertex that stays single has 0. Once every
 * searcher had its turn, the duals add up to what the pairs are worth, and no other pairing can be worth more.
 * Targets start at 0 and only ever become dearer, and one that is taken is never single again.
 */
export interface DualAssignment {
  graph: CandidateGraph;
  /** Of each vertex, or -1. */
  partner: Int32Array;
  dual: Float64Array;
  /**
   * A candidate is worth `unit * weight + 1`. There are fewer pairs than `unit`, so that between pairings of the same
   * weight the number of pairs decides. All whole numbers, far from where they would lose precision.
   */
  unit: number;
}

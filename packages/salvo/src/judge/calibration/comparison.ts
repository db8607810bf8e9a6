/** The verdicts of people and of the judge on one item, for one criterion or overall. */
export interface Comparison {
  /** Null when people did not say. */
  human: { passed: boolean | null; score: number | null };
  /** The score is null for a judge that says only pass or fail. */
  judge: { passed: boolean; score: number | null };
  /** The verdicts of the single votes, by repeat; null for a vote that could not be read. */
  votes: readonly (readonly (boolean | null)[])[];
  /** Where it is in the sample; missing: independent of the others, and not drawn. */
  sample?: SamplePlace | undefined;
}

/** Where a labelled item is in the sample of all labelled items. */
export interface SamplePlace {
  /** The case that it is of: items of one case may be alike. Null: nothing says so. */
  cluster: string | null;
  /** The same for copies of one answer; null if unknown. */
  copy: string | null;
  /** How many trials it stands for, by its chance of being drawn; null if it was not drawn. */
  weight: number | null;
}

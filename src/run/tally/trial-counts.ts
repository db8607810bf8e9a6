/** How the trials of a scenario have come out so far. */
export interface TrialCounts {
  /** Trials that ran, scored or not. */
  total: number;
  /** Passed, failed and hard-failed together. */
  scored: number;
  passed: number;
  failed: number;
  hardFailed: number;
  unscored: number;
  /** Sum of the scores of the scored trials. */
  scoreSum: number;
}

/** One criterion's score in one vote, from 0 to 1. */
export interface CriterionScore {
  score: number;
  reasoning: string;
}

/** One judge call's scores, by criterion name. A criterion that the judge left out is not in it. */
export type VoteScores = Record<string, CriterionScore>;

/** One vote as it is kept in an eval result's metadata. A document: stored as it is. */
export interface VoteRecord {
  /** From 1, counted over all judges of a panel. */
  vote_number: number;
  judge_adapter: string;
  judge_model: string;
  /** Null when the answer could not be read, or there was none. */
  scores: VoteScores | null;
  /** Weighted mean of the scores, missing criteria counting 0; null without scores. */
  score: number | null;
  passed: boolean | null;
  /** The answer, when it could not be read. */
  raw_text: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  latency_seconds: number;
  cost_usd: number | null;
  /** Whether an unreadable answer was followed up, successfully or not. */
  repaired: boolean;
  cached: boolean;
  error: string | null;
}

import type { ScoreAnswer } from '../../models/scoring/ask-for-scores.ts';
import type { AtLeast } from '../../stats/cost.ts';
import type { PairwiseOutcome } from '../pairwise/pairwise-outcome.ts';
import type { LeftOut } from '../prompt/left-out.ts';

/** One vote as it is kept in an eval result's metadata. A document: stored as it is. */
export interface VoteRecord extends ScoreAnswer {
  /** From 1, counted over all judges of a panel. */
  vote_number: number;
  judge_adapter: string;
  judge_model: string;
  /** Weighted mean of the scores, missing criteria counting 0; null without scores. */
  score: number | null;
  passed: boolean | null;
  /** Of a decision model: how likely the weighted mean of its scores reaches the threshold. */
  probability?: number;
  /** Missing for a chat model. */
  judge_mode?: 'decide';
  /** Of a comparison of two answers: whether the trial's own was shown first. Scores prefer it if they are above 0.5. */
  own_first?: boolean;
  /** The scores of each part, when the material was judged in parts; null where a part was lost or not asked about. */
  part_scores?: PartScores[];
}

/** The scores of one part in one vote, by criterion. */
export type PartScores = Record<string, number> | null;

/** The outcome of a criterion over all votes. */
export interface CriterionOutcome {
  name: string;
  /** By the assertion's `aggregation`: the median unless it says otherwise. */
  score: number;
  median_score: number;
  all_scores: number[];
  weight: number;
  /** Lowest and highest score; null when no vote scored it. */
  range: [number, number] | null;
  /** The reasoning of the vote nearest the score. */
  reasoning: string | null;
}

/** The outcome of one judge of a panel. */
interface PanelJudgeOutcome {
  judge_adapter: string;
  judge_model: string;
  /** Missing for a chat model. */
  judge_mode?: 'decide';
  weight: number;
  votes: number;
  readable: number;
  score: number | null;
  passed: boolean | null;
  /** Of a decision model, if its vote could be read. */
  probability?: number;
  cost_usd: number | null;
  cost_at_least?: AtLeast | undefined;
}

/** What one stage of a cascade said of a trial. */
export interface StageOutcome {
  judge_adapter: string;
  judge_model: string;
  /** Missing for a chat model. */
  judge_mode?: 'decide';
  judge_k: number;
  /** From how much it decides; null: it decides everything. */
  sure: number | null;
  /** `unscored`: it was asked and gave no verdict. `not_asked`: an earlier stage decided. */
  outcome: 'decided' | 'not_sure' | 'unscored' | 'not_asked';
  // The rest is missing if it was not asked.
  score?: number | null;
  passed?: boolean | null;
  /** How sure it was: the probability of its verdict, or the share of its votes that agree; null if that is unknown. */
  sureness?: number | null;
  cached_votes?: number;
  cost_usd?: number | null;
  cost_at_least?: AtLeast | undefined;
  /** Of a stage that did not decide; those of the stage that decided are the votes of the judgement. */
  votes?: VoteRecord[];
}

/** How a cascade came to its verdict. */
export interface CascadeOutcome {
  /** The stage that decided, from 1; people come after all judges. Null: nobody did. */
  decided_by: number | null;
  stages: StageOutcome[];
  /** Missing if the cascade does not end with people. */
  people?: 'decided' | 'waiting' | 'not_asked';
  /** Which stage decided and why, in words. */
  reason: string;
}

/** The `metadata` of a judge's eval result. A document: stored as it is. */
export interface JudgeMetadata {
  judge_model: string;
  judge_adapter: string;
  judge_k: number;
  /** Missing for chat models; of a panel: if all its judges are decision models. */
  judge_mode?: 'decide';
  /** Of a decision model that is the only judge: how likely the weighted mean of its scores reaches the threshold. */
  probability?: number;
  /** Null when a price is unknown. */
  judge_cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly; missing in judgements of earlier versions. */
  judge_cost_at_least?: AtLeast | undefined;
  per_criterion: CriterionOutcome[];
  votes: VoteRecord[];
  aggregation: 'median' | 'mean' | 'trimmed_mean';
  threshold: number;
  /** How many readable votes disagreed with the verdict. */
  dissenting_votes: number;
  /** Votes that were not needed, because of `early_stop`. */
  saved_calls: number;
  cached_votes: number;
  /** Votes that were asked for once more because the first answer could not be read, successfully or not. */
  repaired_votes: number;
  /** Requests that failed and were sent again, such as after a rate limit. */
  retries: number;
  /** Sentences about what the numbers do not tell, such as a verdict that differs from the score. */
  notes: string[];
  /** How much there was to see, and how much at once. Missing in judgements that were stored before it was recorded. */
  material?: { characters: number; limit: number; parts: number };
  /** What the judge did not see; empty when it saw all. Missing as above. */
  left_out?: LeftOut[];
  /** Why no judge was asked; missing when one was. */
  not_asked?: string;
  /** Of a judge that compares two answers. */
  pairwise?: PairwiseOutcome;
  /** Of model, prompt and rubric: the key of this judge's calibration. */
  judge_hash: string;
  /** Missing for one judge and for a panel. */
  cascade?: CascadeOutcome;
  panel: {
    judges: PanelJudgeOutcome[];
    /** Between each two judges, on pass or fail per criterion; null when it is undefined. */
    pairwise_kappa: { a: string; b: string; kappa: number | null }[];
    krippendorff_alpha: number | null;
  } | null;
}

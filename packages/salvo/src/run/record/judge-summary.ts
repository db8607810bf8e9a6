import { z } from 'zod';
import { CALIBRATION_VERDICTS } from '../../judge/calibration/calibration-verdict.ts';
import type { DriftCheck } from '../../judge/calibration/drift/drift-check.ts';
import { laterSchema, projectName, textFree } from '../../secrets/text-marks.ts';
import { atLeastSchema } from '../../trace/cost-fields.ts';

/** Whether a judge still says what it said in its calibration. */
export function driftCheckSchema(): z.ZodType<DriftCheck> {
  const number = z.number().nullable();
  const count = z.int().nonnegative();
  return z.object({
    judge_hash: textFree(z.string()),
    outcome: z.enum(['unchanged', 'changed', 'unchecked']),
    calibrated_at: textFree(z.string()).nullable(),
    ...{ anchors: count, compared: count, calls: count },
    ...{ shift: number, change: number, p: number },
    shift_ci: z.tuple([z.number(), z.number()]).nullable(),
    sentence: z.string(),
    judge_cost_usd: number,
    judge_cost_at_least: atLeastSchema.optional(),
  });
}

const interval = () => z.tuple([z.number(), z.number()]).nullable();

/** How often the answers of trials were preferred to others. All intervals are 95%, over whole cases if there is data. */
export const pairwiseSummarySchema = laterSchema(() =>
  z.object({
    /** Trials with a preference. */
    trials: z.int().nonnegative(),
    wins: z.int().nonnegative(),
    ties: z.int().nonnegative(),
    losses: z.int().nonnegative(),
    /** A tie counts half. */
    win_rate: z.number().nullable(),
    win_rate_ci: interval(),
    tie_rate: z.number().nullable(),
    tie_rate_ci: interval(),
    /** Of votes, in how many the preference changed with the order of the answers; null if none was asked for. */
    changed_rate: z.number().nullable(),
    changed_rate_ci: interval(),
    /** How much more often the answer that was shown first was preferred than the second: from -1 to 1. */
    first_preferred_by: z.number().nullable(),
    first_preferred_by_ci: interval(),
    /** Trials whose answer was the same as the other one, so that no judge was asked. */
    identical: z.int().nonnegative(),
  }),
);

export type PairwiseSummary = z.infer<typeof pairwiseSummarySchema>;

/** The results of one judge over the trials of a scenario. Null: unknown. */
export const judgeSummarySchema = z.object({
  assertion_id: projectName(z.string()),
  judge_model: projectName(z.string()),
  judge_adapter: projectName(z.string()),
  judge_hash: textFree(z.string()),
  /** Whether it was compared with people; null if unknown, or if it is a script. */
  calibrated: z.boolean().nullable(),
  /** The verdict of the calibration; null without one. */
  calibration_verdict: z.enum(CALIBRATION_VERDICTS).nullable(),
  /** What the corrected pass rate assumes, or why there is none. */
  calibration_note: z.string().nullable(),
  /** The score that passes. */
  threshold: z.number(),
  /** Trials on which it has a verdict. */
  trials_judged: z.int().nonnegative(),
  pass_rate: z.number().nullable(),
  /** Trials with a verdict of which the judge did not see all. Missing in runs stored before it was counted. */
  trials_cut: z.int().nonnegative().optional(),
  /** Trials that were too long to be judged at once. Missing as above. */
  trials_in_parts: z.int().nonnegative().optional(),
  /** 95%. With data over whole cases, because the trials of one case may be alike. Missing in earlier runs. */
  pass_rate_ci: z.tuple([z.number(), z.number()]).nullable().optional(),
  /** How many independent trials these are worth: with data fewer, if the trials of a case are alike. */
  trials_worth: z.number().nonnegative().optional(),
  /** The pass rate corrected by the judge's sensitivity and specificity, with a 95% interval. */
  corrected_pass_rate: z.number().nullable(),
  corrected_ci: z.tuple([z.number(), z.number()]).nullable(),
  /**
   * How it was corrected: by the judge's sensitivity and specificity, or by prediction-powered inference from labels of
   * the run's own trials; and by how many labels. Missing without a correction, and in earlier runs.
   */
  corrected_by: laterSchema(() =>
    z.object({ method: z.enum(['error_rates', 'prediction_powered']), labels: z.int().nonnegative() }),
  ).optional(),
  /** The correction by sensitivity and specificity, where that by the run's own trials took its place. */
  corrected_by_error_rates: laterSchema(() =>
    z.object({ rate: z.number(), interval: z.tuple([z.number(), z.number()]), note: z.string() }),
  ).optional(),
  /** Why labels of the run's own trials gave no rate. Missing if there are none, or if they did. */
  labels_note: z.string().optional(),
  /** Whether it still says what it said in its calibration; missing unless `--check-judge` checked it. */
  drift: laterSchema(driftCheckSchema).optional(),
  /** Of a judge that compares two answers. */
  pairwise: pairwiseSummarySchema.optional(),
  /** Of a cascade: how many trials each of its judges decided, and at what cost. Missing for other judges. */
  cascade: laterSchema(() =>
    z.object({
      stages: z.array(
        z.object({
          judge_model: projectName(z.string()),
          /** From how much it decides; null: it decides everything. */
          sure: z.number().nullable(),
          asked: z.int().nonnegative(),
          decided: z.int().nonnegative(),
          /** Asked, without a verdict. */
          unscored: z.int().nonnegative(),
          /** Null if a price is unknown. Cached votes cost nothing. */
          cost_usd: z.number().nullable(),
        }),
      ),
      /** Trials that people decided, and those that wait for a label; null if the cascade does not end with people. */
      people: z.object({ decided: z.int().nonnegative(), waiting: z.int().nonnegative() }).nullable(),
      /** Trials that nobody decided. */
      undecided: z.int().nonnegative(),
      cost_usd: z.number().nullable(),
      /**
       * What the last judge would have cost for all trials, by the mean cost of those that it was asked about; null if
       * that is unknown, or if all of its votes were cached.
       */
      last_alone_usd: z.number().nullable(),
    }),
  ).optional(),
  votes_cast: z.int().nonnegative(),
  /** Votes that `early_stop` saved. */
  votes_saved: z.int().nonnegative(),
  /** How many of the votes cast were cached. */
  votes_cached: z.int().nonnegative(),
  /** Votes that were asked for once more, because the first answer could not be read. */
  votes_repaired: z.int().nonnegative(),
  /** The judge's requests that failed and were sent again, such as after a rate limit. */
  retries: z.int().nonnegative(),
  /** The share of readable votes that differ from the verdict. */
  dissent_rate: z.number().nullable(),
  /** Of a panel: how far each two of its judges agree on pass or fail over the trials. */
  pairwise_kappa: z.array(
    z.object({ a: projectName(z.string()), b: projectName(z.string()), kappa: z.number().nullable() }),
  ),
  /** Of a panel: how far the scores of its judges agree over the trials. */
  krippendorff_alpha: z.number().nullable(),
});

export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

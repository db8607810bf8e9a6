import { z } from 'zod';
import { CALIBRATION_VERDICTS } from '../../judge/calibration/calibration-record.ts';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/** What one judge made of the trials of a scenario. Null is what could not be told. */
export const judgeSummarySchema = z.object({
  assertion_id: projectName(z.string()),
  judge_model: projectName(z.string()),
  judge_adapter: projectName(z.string()),
  judge_hash: textFree(z.string()),
  /** Whether it was compared with people; null when nobody looked, or it is a script. */
  calibrated: z.boolean().nullable(),
  /** What the calibration found; null without one. */
  calibration_verdict: z.enum(CALIBRATION_VERDICTS).nullable(),
  /** The score that passes. */
  threshold: z.number(),
  /** Trials in which it came to a verdict. */
  trials_judged: z.int().nonnegative(),
  pass_rate: z.number().nullable(),
  /** The rate that people would have found, by the judge's sensitivity and specificity; with a 95% interval. */
  corrected_pass_rate: z.number().nullable(),
  corrected_ci: z.tuple([z.number(), z.number()]).nullable(),
  votes_cast: z.int().nonnegative(),
  /** Votes that `early_stop` did not buy. */
  votes_saved: z.int().nonnegative(),
  /** Of those cast, how many had been paid for before. */
  votes_cached: z.int().nonnegative(),
  /** Of the votes that could be read, how many differed from their verdict. */
  dissent_rate: z.number().nullable(),
  /** Of a panel: how far each two of its judges agree on pass or fail over the trials. */
  pairwise_kappa: z.array(
    z.object({ a: projectName(z.string()), b: projectName(z.string()), kappa: z.number().nullable() }),
  ),
  /** Of a panel: how far the scores of its judges agree over the trials. */
  krippendorff_alpha: z.number().nullable(),
});

export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

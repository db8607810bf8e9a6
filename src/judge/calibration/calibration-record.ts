import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

const rate = z.number().min(0).max(1);
const interval = z.tuple([z.number(), z.number()]);

/** A share of the items that people judged one way, with the counts behind it. */
const countedRateSchema = z.object({
  correct: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** Null when there was nothing to count. */
  rate: rate.nullable(),
  /** 95%, Wilson. */
  ci: interval.nullable(),
});

export const CALIBRATION_VERDICTS = ['no better than chance', 'weak', 'usable'] as const;

/** How a judge compares with people, on one criterion or overall. Null where a number is undefined. */
const calibrationMetricsSchema = z.object({
  /** Items that both people and the judge gave a verdict. */
  n: z.int().nonnegative(),
  /** How many of them people passed. */
  human_passed: z.int().nonnegative(),
  agreement: rate.nullable(),
  kappa: z.number().nullable(),
  /** 95%, by a seeded bootstrap over the items. */
  kappa_ci: interval.nullable(),
  /** Items that both gave a score; the metrics of scores are about these. */
  n_scores: z.int().nonnegative(),
  spearman: z.number().nullable(),
  kendall: z.number().nullable(),
  /** Judge minus people: above 0 the judge is too lenient. */
  mean_error: z.number().nullable(),
  mean_absolute_error: z.number().nullable(),
  /** Of what people passed, how much the judge passed. */
  sensitivity: countedRateSchema,
  /** Of what people failed, how much the judge failed. */
  specificity: countedRateSchema,
  /** How often two single votes on an item differ. */
  vote_flip_rate: rate.nullable(),
  /** How often the verdict of all votes differs when an item is judged again; null when none was. */
  repeat_flip_rate: rate.nullable(),
  best_threshold: z.object({ threshold: z.number(), kappa: z.number() }).nullable(),
  /** The fewest votes whose majority is stable; null when 21 are not enough, or it is unknown. */
  votes_needed: z.int().positive().nullable(),
  verdict: z.enum(CALIBRATION_VERDICTS),
  reason: z.string(),
});

/** What a calibration found. A document: stored and printed as it is. */
const calibrationReportSchema = z.object({
  threshold: rate,
  /** All labelled items, and how many of them the judge could score. */
  items: z.int().nonnegative(),
  scored: z.int().nonnegative(),
  /** Items the judge could not score, by the line of their label. They count neither for nor against it. */
  unscored: z.array(z.object({ line: z.int().positive(), error: z.string().nullable() })),
  votes: z.int().nonnegative(),
  unreadable_votes: z.int().nonnegative(),
  criteria: z.array(calibrationMetricsSchema.extend({ name: z.string() })),
  overall: calibrationMetricsSchema,
  verdict: z.enum(CALIBRATION_VERDICTS),
  reason: z.string(),
});

/** A calibration as it is stored: which judge it is about, and what was found. */
export const calibrationRecordSchema = z.object({
  /** Of model, prompt and rubric: a judge that differs in any of these was never calibrated. */
  judge_hash: textFree(z.string().min(1)),
  created_at: textFree(z.string()),
  judge_adapter: projectName(z.string()),
  judge_model: projectName(z.string()),
  k: z.int().positive(),
  ...calibrationReportSchema.shape,
});

export type CalibrationVerdict = (typeof CALIBRATION_VERDICTS)[number];
export type CalibrationMetrics = z.infer<typeof calibrationMetricsSchema>;
export type CalibrationReport = z.infer<typeof calibrationReportSchema>;
export type CalibrationRecord = z.infer<typeof calibrationRecordSchema>;

import { z } from 'zod';
import { atLeastSchema } from '../../trace/cost-fields.ts';
import { interval, rate } from '../calibration/calibration-record.ts';
import { askedJudgeFields, labelCountsSchema, shareSchema } from '../which/judge-comparison.ts';

const costFields = {
  /** The mean; null if a price is unknown. */
  cost_usd_per_verdict: z.number().nullable(),
  cost_ci: interval.nullable(),
};

const stageSchema = z.object({
  ...askedJudgeFields,
  /** Chosen on one half of the cases: from how much it decides, `all` if it decides everything, `none` if it is left out. */
  sure: z.union([z.number(), z.literal('all'), z.literal('none')]).nullable(),
  /** How many answers of the other half it decided; null if no choice reaches the goal. */
  decided: shareSchema.nullable(),
  /** This judge alone, on all answers. */
  alone: z.object({ agreement: shareSchema, unscored: z.int().nonnegative(), ...costFields }),
});

/** How `sure` was chosen for the stages of a cascade, and what that is worth. A document: printed as it is. */
export const cascadeCalibrationSchema = z.object({
  goal: z.object({ agreement: rate.optional(), cost_usd: z.number().nonnegative().optional() }),
  threshold: rate,
  labels: labelCountsSchema,
  /** Whether people decide what no judge does. */
  people: z.boolean(),
  /** Whether a choice reaches the goal. */
  reached: z.boolean(),
  stages: z.array(stageSchema),
  /** The cascade on the half of the cases that `sure` was not chosen by; null if no choice reaches the goal. */
  cascade: z
    .object({
      /** Answers of that half. */
      tested: z.int().nonnegative(),
      /** Of the answers that a judge decides. */
      agreement: shareSchema,
      /** Answers that no judge decides. */
      undecided: shareSchema,
      ...costFields,
      /** Its agreement minus that of the last judge alone, on answers that both decide. */
      against_last: z.object({ n: z.int().nonnegative(), difference: z.number(), ci: interval }),
    })
    .nullable(),
  /** What to do, a sentence each. */
  sentences: z.array(z.string()),
  /** To paste into an assertion; null if there is nothing to paste. */
  yaml: z.string().nullable(),
  notes: z.array(z.string()),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** 0 if the goal is reached, 1 if it is not, 3 if these labels cannot tell. */
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
});

export type CascadeCalibration = z.infer<typeof cascadeCalibrationSchema>;
export type CalibratedStage = CascadeCalibration['stages'][number];
export type TestedCascade = NonNullable<CascadeCalibration['cascade']>;

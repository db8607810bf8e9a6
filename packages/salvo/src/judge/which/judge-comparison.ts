import { z } from 'zod';
import { judgeModeSchema } from '../../scenario/schema/shared-fields.ts';
import { projectName } from '../../secrets/text-marks.ts';
import { atLeastSchema } from '../../trace/cost-fields.ts';
import { biasSchema } from '../biases/bias-document.ts';
import { agreementSchema, interval, rate } from '../calibration/calibration-record.ts';
import { CALIBRATION_VERDICTS } from '../calibration/calibration-verdict.ts';

/** A difference on the same answers, with a 95% interval and its p value. */
const testedSchema = z.object({
  /** Answers that both have a verdict on. */
  n: z.int().nonnegative(),
  difference: z.number(),
  ci: interval,
  /** Two-sided: McNemar's exact test, with whole cases swapped if cases have several answers. */
  p: rate,
  /** Holm's correction, over all comparisons of the same kind in this document. */
  p_holm: rate,
});

/** How many of the labelled answers, with a 95% interval. */
export const shareSchema = z.object({ count: z.int().nonnegative(), rate: rate.nullable(), ci: interval.nullable() });

/** For judges that give probabilities: how far these can be taken at their word. */
const reliabilitySchema = z.object({
  /** `decision`: the judge said it. `votes`: the share of votes that passed the answer. */
  source: z.enum(['decision', 'votes']),
  n: z.int().nonnegative(),
  brier: rate,
  brier_ci: interval.nullable(),
  calibration_error: rate,
  /** Conservative: down to 0 if right probabilities could show the same. */
  calibration_error_ci: interval,
  /** What right probabilities would show on average with so few labels. */
  calibration_error_by_chance: z.number().nonnegative(),
  /**
   * Cox's test of all probabilities together: are they right? Null if there are too few cases, or all are the same.
   * Missing in documents of earlier versions.
   */
  calibration_test: z
    .object({
      p: rate,
      /** Holm's correction, over all judges. */
      p_holm: rate,
      /** In which way they are wrong, if they are. */
      kind: z.enum(['too sure', 'not sure enough', 'too high', 'too low']),
    })
    .nullable()
    .optional(),
  /** The reliability diagram: what was said, and how often people passed the answer. */
  bins: z.array(
    z.object({
      range: interval,
      n: z.int().positive(),
      said: rate,
      observed: rate,
      ci: interval,
      /** Of which all bins together contain the truth in 95%. */
      joint_ci: interval,
    }),
  ),
});

/** A threshold that is chosen on one half of the cases and tested on the other, both ways. */
const fittedSchema = z.object({
  /** The threshold of either half. */
  thresholds: z.tuple([z.number(), z.number()]),
  /** How often its scores agree with people by the threshold of the other half. */
  agreement: rate,
  agreement_ci: interval,
  /** Agreement with these thresholds minus agreement as it is. */
  gain: testedSchema,
});

/** How many of some cases of `salvo judge-check` a judge got right. */
const rightSchema = z.object({
  right: z.int().nonnegative(),
  scored: z.int().nonnegative(),
  rate: rate.nullable(),
  ci: interval.nullable(),
});

const canariesSchema = z.object({
  /** Attempts to manipulate it, and wrong answers: right is that they fail. */
  canaries: rightSchema,
  /** Right answers: right is that they pass. */
  controls: rightSchema,
  unscored: z.int().nonnegative(),
  not_judged: z.int().nonnegative(),
});

/** Who is asked, and how. */
export const askedJudgeFields = {
  name: projectName(z.string()),
  judge_adapter: projectName(z.string()),
  judge_model: projectName(z.string()),
  mode: judgeModeSchema,
  k: z.int().positive(),
};

/** What judges were asked about. */
export const labelCountsSchema = z.object({
  lines: z.int().nonnegative(),
  /** Different answers with a verdict of people. */
  answers: z.int().nonnegative(),
  human_passed: z.int().nonnegative(),
  /** How many cases they are of. */
  cases: z.int().nonnegative(),
});

const comparedJudgeSchema = z.object({
  ...askedJudgeFields,
  /** Answers that it was asked about, and those that it could not score. */
  judged: z.int().nonnegative(),
  not_judged: z.int().nonnegative(),
  unscored: shareSchema,
  /** Why an answer could not be scored: the most frequent reason. */
  unscored_because: z.string().nullable(),
  ...agreementSchema.shape,
  /** How often it gives the same verdict as people. */
  agreement: shareSchema,
  verdict: z.enum(CALIBRATION_VERDICTS),
  reason: z.string(),
  /** How well its scores rank answers that people pass above those they fail: 1 perfect, 0.5 chance. */
  auroc: z.number().nullable(),
  auroc_ci: interval.nullable(),
  /** Null for a single vote without probabilities. */
  reliability: reliabilitySchema.nullable(),
  /** Null if one half has no threshold. */
  fitted: fittedSchema.nullable(),
  /** The cases of `salvo judge-check`; null unless they were asked for. */
  canaries: canariesSchema.nullable(),
  /** What changes its scores and should not, by pairs of answers; missing unless they were asked for. */
  biases: z.array(biasSchema).optional(),
  /** The mean over verdicts that were not cached; null if a price is unknown or all were cached. */
  cost_usd_per_verdict: z.number().nullable(),
  seconds_per_verdict: z.number().nullable(),
  cached: z.int().nonnegative(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** What to do with it, a sentence each. */
  sentences: z.array(z.string()),
});

/** Judges compared on the same labels. A document: printed as it is. */
export const judgeComparisonSchema = z.object({
  threshold: rate,
  labels: labelCountsSchema,
  /** The judge that agrees most often with people in these labels: the others are compared with it. */
  reference: projectName(z.string()).nullable(),
  judges: z.array(comparedJudgeSchema),
  /** Each two judges: how often the first agrees with people minus how often the second does. */
  pairs: z.array(testedSchema.extend({ first: projectName(z.string()), second: projectName(z.string()) })),
  notes: z.array(z.string()),
  /** 0 if a judge is usable, 1 if none is, 3 if these labels cannot tell. */
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(3)]),
});

export type JudgeComparison = z.infer<typeof judgeComparisonSchema>;
export type ComparedJudgeRow = z.infer<typeof comparedJudgeSchema>;
export type JudgeCanaries = z.infer<typeof canariesSchema>;
export type JudgePair = JudgeComparison['pairs'][number];
export type TestedDocument = z.infer<typeof testedSchema>;
export type ReliabilityDocument = z.infer<typeof reliabilitySchema>;

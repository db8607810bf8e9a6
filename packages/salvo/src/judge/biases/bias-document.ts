import { z } from 'zod';
import { interval, rate } from '../calibration/calibration-record.ts';

/** What a judge may look at although it says nothing about the answer. Position is measured by pairwise judging. */
export const BIASES = ['length', 'formatting', 'tone', 'authority', 'family', 'language'] as const;

/** The whole scale of a score, 0 to 1, in points. */
export const POINTS = 5;

/** An effect of fewer points is none for most purposes. */
export const SMALL_EFFECT = 0.5;
/** Fewer cases do not tell that there is no effect. */
export const FEWEST_CASES = 16;

/** How much one thing changes a judge's scores, by pairs of answers that differ in nothing else. */
export const biasSchema = z.object({
  bias: z.enum(BIASES),
  /** What the second answer of each pair has and the first has not. */
  changed: z.string(),
  /** Pairs of which both answers were scored, and how many cases they are of. */
  n: z.int().nonnegative(),
  cases: z.int().nonnegative(),
  /** Answers without a pair, by the reason; the most frequent first. */
  left_out: z.array(z.object({ reason: z.string(), answers: z.int().positive() })),
  /** Score of the changed answer minus that of the other, where the whole scale has 5 points. Null without pairs. */
  points: z.number().nullable(),
  /** 95%, over whole cases. */
  ci: interval.nullable(),
  /** Pass rate of the changed answers minus that of the others, with a 95% interval. */
  pass_rate_difference: z.number().nullable(),
  pass_rate_ci: interval.nullable(),
  /** Two-sided, of the points: the answers of all pairs of a case are swapped. */
  p: rate.nullable(),
  /** Holm's correction, over the biases of this judge. */
  p_holm: rate.nullable(),
  /** `none`: the interval of at least 16 cases reaches no further than half a point. `not measured`: no pair was scored. */
  found: z.enum(['raises', 'lowers', 'none', 'too few', 'not measured']),
  sentence: z.string(),
});

export type Bias = (typeof BIASES)[number];
export type BiasDocument = z.infer<typeof biasSchema>;

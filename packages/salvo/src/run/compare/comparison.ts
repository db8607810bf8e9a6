import { z } from 'zod';
import { projectName } from '../../secrets/text-marks.ts';

const intervalSchema = z.tuple([z.number(), z.number()]);

/** A difference, the new run minus the base, with its 95% interval if there is one. */
export const differenceSchema = z.object({ value: z.number(), interval: intervalSchema.nullable() });

/** What one run has of the cases that are compared. */
const comparedSideSchema = z.object({
  trials_scored: z.int(),
  trials_passed: z.int(),
  /** Of all cases. They are left out. */
  trials_unscored: z.int(),
  /** Means over the compared cases, each with the same weight; null if nothing was scored. */
  pass_rate: z.number().nullable(),
  pass_rate_ci: intervalSchema.nullable(),
  score_avg: z.number().nullable(),
});

/** How a scenario did in two runs. */
export const scenarioComparisonSchema = z.object({
  conclusion: z.enum([
    'better',
    'worse',
    /** The difference may be chance. */
    'no_evidence',
    /** The same, and a large difference would hardly have been seen. */
    'too_few_trials',
    'not_comparable',
  ]),
  base: comparedSideSchema,
  next: comparedSideSchema,
  /** Cases that both runs have scored, and the others. */
  cases: z.object({
    compared: z.int(),
    only_base: z.array(projectName(z.string())),
    only_next: z.array(projectName(z.string())),
  }),
  /** Of the pass rate. */
  difference: differenceSchema.nullable(),
  /**
   * Two-sided, that the difference of the pass rates is chance: below 0.05 exactly if the interval of the difference
   * excludes 0. And corrected for all scenarios by Holm: the interval is of this scenario alone, and is not corrected.
   */
  p: z.number().nullable(),
  p_holm: z.number().nullable(),
  /** Fisher's test, two-sided as twice the smaller tail; the same as any other if both runs have as many trials. */
  method: z.enum(['mcnemar', 'fisher_central', 'permutation']).nullable(),
  /** What the method counts as one piece of evidence: a case, a pair of trials with the same seed, or a trial. */
  unit: z.enum(['case', 'pair', 'trial']).nullable(),
  /** The smallest p that any outcome of these trials could have given. */
  lowest_p: z.number().nullable(),
  /** The mean score. Its `p_holm` is also corrected for being asked beside the pass rate. */
  score: z.object({ difference: differenceSchema, p: z.number().nullable(), p_holm: z.number().nullable() }).nullable(),
  /** The smallest change of the pass rate that is found in four of five runs like these; null: not even the largest. */
  smallest_detectable: z.number().nullable(),
  /** Trials of each run with which a change of 20 points is found in four of five runs; null if these are enough. */
  trials_needed: z.int().nullable(),
  /** The same in cases, with as many trials each as now; null if the unit is not a case. */
  cases_needed: z.int().nullable(),
  /** Sentences about what the numbers do not tell. */
  notes: z.array(z.string()),
});

/** How all scenarios together did in two runs. Each of them counts the same. */
export const togetherSchema = z.object({
  conclusion: scenarioComparisonSchema.shape.conclusion,
  /** How many are compared. */
  scenarios: z.int(),
  base_pass_rate: z.number(),
  next_pass_rate: z.number(),
  difference: differenceSchema,
  /** Two-sided, by a permutation test; and corrected by Holm, together with those of the scenarios. */
  p: z.number(),
  p_holm: z.number(),
  lowest_p: z.number(),
  smallest_detectable: z.number().nullable(),
});

export type TogetherComparison = z.infer<typeof togetherSchema>;
export type ScenarioComparison = z.infer<typeof scenarioComparisonSchema>;
export type Conclusion = ScenarioComparison['conclusion'];
export type Difference = z.infer<typeof differenceSchema>;

import { z } from 'zod';
import { errorText, projectName, textFree } from '../secrets/text-marks.ts';
import { trialResultSchema } from '../trial/trial-result.ts';
import { judgeSummarySchema } from './judge-summary.ts';

export const verdictSchema = z.enum(['PASS', 'PARTIAL', 'FAIL', 'HARD_FAIL', 'UNSCORED', 'RECORDED']);

/** A judge's failure in numbers. */
const judgeExampleSchema = z.object({
  judge_model: projectName(z.string()),
  k: z.int().positive(),
  criteria: z.array(
    z.object({
      name: z.string(),
      score: z.number(),
      all_scores: z.array(z.number()),
      /** Of the vote nearest to the score, shortened. */
      reasoning: z.string().nullable(),
    }),
  ),
  dissenting_votes: z.int().nonnegative(),
  /** Sentences about what the numbers do not tell, such as a verdict that differs from the score; if there are any. */
  notes: z.array(z.string()).optional(),
});

/** The failures of one assertion over all scored trials of a scenario. */
const assertionFailureSchema = z.object({
  assertion_type: projectName(z.string()),
  assertion_id: projectName(z.string()),
  required: z.boolean(),
  fail_count: z.int().nonnegative(),
  fail_rate: z.number(),
  /** Sum over the trials of weight x (1 - score). */
  lost_weight: z.number(),
  /** The details of its first failure. */
  example: z.string(),
  /** The same failure in numbers, if it is a judge's. */
  judge: judgeExampleSchema.optional(),
  trial_numbers: z.array(z.int()),
});

/** Everything about the trials of one scenario, except the trials themselves. */
export const scenarioSummarySchema = z.object({
  name: projectName(z.string()),
  file: projectName(z.string()),
  model: projectName(z.string()),
  adapter: projectName(z.string()),
  verdict: verdictSchema,
  trials_planned: z.int(),
  /** Trials that ran, scored or not. */
  trials_total: z.int(),
  trials_scored: z.int(),
  trials_passed: z.int(),
  trials_failed: z.int(),
  trials_hard_failed: z.int(),
  trials_unscored: z.int(),
  /** Why fewer trials ran than planned; null if all ran. */
  stopped: z.enum(['early_stop', 'budget', 'interrupted']).nullable(),
  pass_rate: z.number().nullable(),
  /** 95% Wilson interval. */
  pass_rate_ci: z.tuple([z.number(), z.number()]).nullable(),
  /** pass_at_k[k]: chance that at least one of k trials passes; pass_hat_k[k]: that all k do. Unbiased. */
  pass_at_k: z.record(textFree(z.string()), z.number()),
  pass_hat_k: z.record(textFree(z.string()), z.number()),
  score_avg: z.number().nullable(),
  score_min: z.number().nullable(),
  score_p50: z.number().nullable(),
  score_p95: z.number().nullable(),
  threshold: z.number(),
  cost_total_usd: z.number().nullable(),
  cost_per_trial_usd: z.number().nullable(),
  judge_cost_usd: z.number().nullable(),
  latency_p50: z.number().nullable(),
  latency_p95: z.number().nullable(),
  retries: z.int(),
  assertion_failures: z.array(assertionFailureSchema),
  judges: z.array(judgeSummarySchema).default([]),
  /** Messages of trials that could not be scored, with how often each occurred. */
  errors: z.array(
    z.object({
      message: errorText(z.string(), 'code'),
      code: textFree(z.string()).optional(),
      count: z.int(),
      trial_numbers: z.array(z.int()),
    }),
  ),
});

const scenarioResultSchema = scenarioSummarySchema.extend({ trials: z.array(trialResultSchema) });

/** What `salvo run --json` prints. */
export const runDocumentSchema = z.object({
  run_id: z.string(),
  verdict: verdictSchema,
  exit_code: z.int(),
  created_at: z.string(),
  seed: z.int().nullable(),
  scenarios: z.array(scenarioResultSchema),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type AssertionFailure = z.infer<typeof assertionFailureSchema>;
export type ScenarioSummary = z.infer<typeof scenarioSummarySchema>;
export type RunDocument = z.infer<typeof runDocumentSchema>;

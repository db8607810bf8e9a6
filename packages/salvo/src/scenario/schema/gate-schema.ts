import { z } from 'zod';
import { shareSchema, someText } from './shared-fields.ts';

/** More trials than this of one case say nothing new about how reliable an agent is. */
const LARGEST_K = 1000;

const chanceSchema = z.strictObject({
  k: z.int().min(1).max(LARGEST_K).describe('How many trials of the same case.'),
  rate: shareSchema.describe('The minimum chance: 0.8 or 80%.'),
});

const chancesSchema = z
  .union([chanceSchema, z.array(chanceSchema).min(1)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** The gates beside `min_pass_rate` and `min_score`, of a scenario and of `defaults` in salvo.yaml. */
export const furtherGatesSchema = z.strictObject({
  min_pass_hat_k: chancesSchema
    .optional()
    .describe(
      'The minimum chance that all of k trials of a case pass (pass^k): {k: 3, rate: 80%}, or a list of these.',
    ),
  min_pass_at_k: chancesSchema
    .optional()
    .describe(
      'The minimum chance that at least one of k trials of a case passes (pass@k): {k: 3, rate: 95%}, or a list.',
    ),
  min_criteria: z
    .record(someText, z.union([shareSchema, z.record(someText, shareSchema)]))
    .optional()
    .describe(
      'The minimum mean of criteria over the scored trials: {answers: 80%}; {tone: {answers: 80%}} if several judges have the criterion, with the id of the judge.',
    ),
  max_cost_usd: z
    .number()
    .nonnegative()
    .optional()
    .describe('What the agent may cost per trial, as a mean over the scored trials, without judges.'),
  max_latency_seconds: z
    .strictObject({
      p50: z.number().positive().optional().describe('The longest that half of the scored trials may take.'),
      p95: z.number().positive().optional().describe('The longest that 95% of the scored trials may take.'),
    })
    .refine(({ p50, p95 }) => p50 !== undefined || p95 !== undefined, 'give p50, p95 or both: {p95: 5}')
    .optional()
    .describe('How long the scored trials may take: {p50: 2, p95: 5}.'),
});

export type FurtherGates = z.infer<typeof furtherGatesSchema>;

/** The keys of all gates: they judge trials that ran, and do not influence them. */
export const GATE_KEYS = ['min_pass_rate' as const, 'min_score' as const, ...furtherGatesSchema.keyof().options];

import { z } from 'zod';
import { atLeastSchema } from '../trace/cost-fields.ts';

const storedCriterionSchema = z.object({
  name: z.string(),
  score: z.number(),
  all_scores: z.array(z.number()),
  reasoning: z.string().nullable(),
});

/** The part of a judge's `metadata` that reports show. */
const storedJudgementSchema = z.object({
  judge_model: z.string(),
  judge_k: z.int().positive(),
  /** Of a decision model that is the only judge. */
  probability: z.number().optional(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  per_criterion: z.array(storedCriterionSchema),
  votes: z.array(
    z.object({ scores: z.unknown(), repaired: z.boolean(), cached: z.boolean(), error: z.string().nullable() }),
  ),
  dissenting_votes: z.int().nonnegative(),
  saved_calls: z.int().nonnegative(),
  retries: z.int().nonnegative(),
  notes: z.array(z.string()),
  /** Missing in judgements that were stored before it was recorded. */
  material: z.object({ parts: z.int().nonnegative() }).optional(),
  left_out: z.array(z.object({ characters: z.number() })).optional(),
  panel: z
    .object({
      judges: z.array(
        z.object({
          judge_model: z.string(),
          votes: z.int(),
          readable: z.int(),
          score: z.number().nullable(),
          passed: z.boolean().nullable(),
          /** Of a decision model. */
          probability: z.number().optional(),
        }),
      ),
      krippendorff_alpha: z.number().nullable(),
    })
    .nullable(),
});

export type StoredJudgement = z.infer<typeof storedJudgementSchema>;

/** Reads a stored judgement; null when the metadata is not a judge's, or when no vote was readable. */
export function readJudgement(metadata: Record<string, unknown>): StoredJudgement | null {
  if (!('judge_model' in metadata)) return null;
  const read = storedJudgementSchema.safeParse(metadata);
  return read.success && read.data.per_criterion.some(({ all_scores }) => all_scores.length > 0) ? read.data : null;
}

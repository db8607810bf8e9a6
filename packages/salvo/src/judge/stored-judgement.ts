import { z } from 'zod';
import { atLeastSchema } from '../trace/at-least-schema.ts';

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
        }),
      ),
      krippendorff_alpha: z.number().nullable(),
    })
    .nullable(),
});

export type StoredJudgement = z.infer<typeof storedJudgementSchema>;

/** The part of a judge's `metadata` from which its verdicts can be compared with people again. */
const storedVotesSchema = z.object({
  judge_hash: z.string(),
  judge_adapter: z.string(),
  judge_model: z.string(),
  judge_k: z.int().positive(),
  threshold: z.number(),
  per_criterion: z.array(
    z.object({ name: z.string(), score: z.number(), weight: z.number(), reasoning: z.string().nullable() }),
  ),
  votes: z.array(
    z.object({
      scores: z.record(z.string(), z.object({ score: z.number(), reasoning: z.string() })).nullable(),
      raw_text: z.string().nullable(),
      error: z.string().nullable(),
      passed: z.boolean().nullable(),
    }),
  ),
  dissenting_votes: z.int().nonnegative(),
  panel: z
    .object({ judges: z.array(z.object({ judge_model: z.string(), passed: z.boolean().nullable() })) })
    .nullable(),
});

export type StoredVotes = z.infer<typeof storedVotesSchema>;

/** Reads a stored judgement; null when the metadata is not a judge's, or when no vote was readable. */
export function readJudgement(metadata: Record<string, unknown>): StoredJudgement | null {
  const read = readAs(storedJudgementSchema, metadata);
  return read?.per_criterion.some(({ all_scores }) => all_scores.length > 0) ? read : null;
}

/** The votes of a stored judgement; null when the metadata is not a judge's. */
export function readVotes(metadata: Record<string, unknown>): StoredVotes | null {
  return readAs(storedVotesSchema, metadata);
}

function readAs<Part>(schema: z.ZodType<Part>, metadata: Record<string, unknown>): Part | null {
  if (!('judge_model' in metadata)) return null;
  return schema.safeParse(metadata).data ?? null;
}

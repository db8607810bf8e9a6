import { z } from 'zod';

/** Of a decision: how likely the criterion has this score. */
const levelSchema = z.object({ label: z.string(), score: z.number(), probability: z.number() });

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
      scores: z
        .record(
          z.string(),
          z.object({ score: z.number(), reasoning: z.string(), probabilities: z.array(levelSchema).optional() }),
        )
        .nullable(),
      raw_text: z.string().nullable(),
      error: z.string().nullable(),
      passed: z.boolean().nullable(),
      probability: z.number().optional(),
    }),
  ),
  dissenting_votes: z.int().nonnegative(),
  panel: z
    .object({ judges: z.array(z.object({ judge_model: z.string(), passed: z.boolean().nullable() })) })
    .nullable(),
});

const byPeopleSchema = z.object({ cascade: z.object({ decided_by: z.unknown(), people: z.literal('decided') }) });

export type StoredVotes = z.infer<typeof storedVotesSchema>;

/**
 * The votes of a stored judgement; null when the metadata is not a judge's. Null as well where people decided in place of
 * a judge: their verdict says nothing about how far the judge agrees with them.
 */
export function readVotes(metadata: Record<string, unknown>): StoredVotes | null {
  if (!('judge_model' in metadata) || byPeopleSchema.safeParse(metadata).success) return null;
  const read = storedVotesSchema.safeParse(metadata);
  return read.success ? read.data : null;
}

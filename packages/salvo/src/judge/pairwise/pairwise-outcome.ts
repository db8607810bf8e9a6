import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';

/** Whether the trial's answer is preferred to the other one. */
export const PREFERENCES = ['win', 'tie', 'loss'] as const;
export type Preference = (typeof PREFERENCES)[number];

const preferenceSchema = z.enum(PREFERENCES);
const shareSchema = z.number().min(0).max(1);

/** One vote of a pairwise judgement: both orders of the two answers. */
const orderVoteSchema = z.object({
  judge_model: z.string(),
  /** With the trial's answer as A, and with the other one as A; null if the answer could not be read. */
  own_first: preferenceSchema.nullable(),
  other_first: preferenceSchema.nullable(),
  /** Of both: a tie if they differ, null if one could not be read. */
  preference: preferenceSchema.nullable(),
});

/**
 * `pairwise` in the metadata of a judge that compares two answers. A document: stored as it is.
 * @internal Exported for its tests.
 */
export const pairwiseOutcomeSchema = laterSchema(() =>
  z.object({
    /** What the trial's answer was compared with. */
    against: z.union([
      z.object({ kind: z.literal('reference') }),
      z.object({
        kind: z.literal('run'),
        run_id: z.string(),
        trial_number: z.int().positive(),
        trace_id: z.string().nullable(),
      }),
    ]),
    /** Null if too few votes could be read. */
    preference: preferenceSchema.nullable(),
    /** What passes: `win` if the trial's answer is preferred, `tie` if the other one is not. */
    require: z.enum(['win', 'tie']),
    /** Nothing that a judge would see tells the two answers apart, so none was asked. */
    identical: z.boolean(),
    votes: z.array(orderVoteSchema),
    order: z.object({
      /** Votes that could be read in both orders. */
      votes: z.int().nonnegative(),
      /** Of these, how many had another preference in the other order. */
      changed: z.int().nonnegative(),
      /** How much more often the answer that was shown first was preferred than the second, in votes. */
      first: z.number(),
    }),
    /** Of a decision model that is the only judge: the mean of both orders. */
    shares: z.object({ win: shareSchema, tie: shareSchema, loss: shareSchema }).optional(),
    /** The texts of the two answers, for people. Long ones are cut. */
    answers: z.object({ own: z.string(), other: z.string() }),
  }),
);

export type PairwiseOutcome = z.infer<typeof pairwiseOutcomeSchema>;

/** The outcome of a pairwise judgement; null if the metadata has none. */
export function readPairwise(metadata: Record<string, unknown>): PairwiseOutcome | null {
  if (!('pairwise' in metadata)) return null;
  return pairwiseOutcomeSchema.safeParse(metadata.pairwise).data ?? null;
}

import { z } from 'zod';
import type { EvalResult } from '../../../evaluators/eval-result.ts';
import type { CalibrationRecord } from '../../../judge/calibration/calibration-record.ts';
import { readPairwise } from '../../../judge/pairwise/pairwise-outcome.ts';
import { agentCost, atLeastSchema, judgeCost } from '../../../trace/cost-fields.ts';

/** What a judge said about a trial: each vote, and what became of them. */
export type JudgementView = NonNullable<ReturnType<typeof judgementView>>;
export type CriterionView = JudgementView['criteria'][number];
export type VoteView = JudgementView['votes'][number];

export type CalibrationFigures = Pick<CalibrationRecord, 'verdict' | 'reason' | 'created_at'> &
  Pick<CalibrationRecord['overall'], 'n' | 'kappa' | 'kappa_ci'>;

/** The part of a judge's `metadata` that a page shows. */
const metadataSchema = z.object({
  judge_hash: z.string(),
  judge_model: z.string(),
  /** The score that a vote needs. */
  threshold: z.number(),
  aggregation: z.string(),
  judge_cost_usd: z.number().nullable(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** Votes that were not needed. */
  saved_calls: z.number(),
  notes: z.array(z.string()),
  material: z.object({ parts: z.number() }).optional(),
  left_out: z.array(z.unknown()).optional(),
  per_criterion: z.array(
    /** The score is by the aggregation of the assertion. */
    z.object({ name: z.string(), weight: z.number(), score: z.number(), median_score: z.number() }),
  ),
  votes: z.array(
    z.object({
      vote_number: z.number(),
      judge_model: z.string(),
      score: z.number().nullable(),
      passed: z.boolean().nullable(),
      /** Of a decision model. */
      probability: z.number().optional(),
      cached: z.boolean(),
      repaired: z.boolean(),
      cost_usd: z.number().nullable(),
      cost_at_least: atLeastSchema.optional(),
      error: z.string().nullable(),
      /** The answer, if it could not be read. */
      raw_text: z.string().nullable(),
      scores: z.record(z.string(), z.object({ score: z.number(), reasoning: z.string() })).nullable(),
      part_scores: z.array(z.record(z.string(), z.number()).nullable()).optional(),
      own_first: z.boolean().optional(),
    }),
  ),
  panel: z.object({ krippendorff_alpha: z.number().nullable() }).nullable(),
});

/** Null if the result is not a judge's, or its texts were not stored. */
export function judgementView(
  { metadata, passed, status }: EvalResult,
  calibrationOf: (judgeHash: string) => CalibrationRecord | undefined,
) {
  const read = metadataSchema.safeParse(metadata);
  if (!read.success) return null;
  const { judge_hash, judge_model, threshold, aggregation, saved_calls, notes, votes } = read.data;
  const calibration = calibrationOf(judge_hash);
  return {
    ...{ judge_hash, judge_model, threshold, aggregation, saved_calls, notes },
    /** In how many parts it was judged; 0 if it was not. */
    parts: read.data.material?.parts ?? 1,
    /** Whether the judge saw everything; null if it was judged before that was recorded. */
    saw_all: read.data.left_out ? read.data.left_out.length === 0 : null,
    cost: judgeCost(read.data),
    criteria: read.data.per_criterion.map((criterion) => {
      const cast = votes.flatMap(({ vote_number, scores }) => {
        const score = scores?.[criterion.name]?.score;
        return score === undefined ? [] : [{ vote_number, score }];
      });
      const passing = cast.filter(({ score }) => score >= threshold).length;
      // Disputed: some votes are above the threshold and some below.
      return { ...criterion, votes: cast, is_disputed: passing > 0 && passing < cast.length };
    }),
    votes: votes.map(
      ({ scores, part_scores = [], cost_usd, cost_at_least, probability = null, own_first = null, ...vote }) => ({
        ...vote,
        /** Of a decision model: how likely it passes. */
        probability,
        /** Of a comparison of two answers: whether the trial's own was shown first. */
        own_first,
        cost: agentCost({ cost_usd, cost_at_least }),
        /** Its verdict is not the one of the majority. */
        dissents: status === 'scored' && own_first === null && vote.passed !== null && vote.passed !== passed,
        reasons: Object.entries(scores ?? {}).map(([criterion, given]) => ({
          criterion,
          ...given,
          /** By part, if there are several. */
          part_scores: part_scores.map((part) => part?.[criterion] ?? null),
        })),
      }),
    ),
    /** Of a judge that compares two answers; null for any other. */
    pairwise: readPairwise(metadata),
    /** Of a panel: how far its judges agree. */
    krippendorff_alpha: read.data.panel?.krippendorff_alpha ?? null,
    /** How this judge compares with people; null if it was never calibrated. */
    calibration: calibration ? calibrationFigures(calibration) : null,
  };
}

export function calibrationFigures({ verdict, reason, created_at, overall }: CalibrationRecord): CalibrationFigures {
  const { n, kappa, kappa_ci } = overall;
  return { verdict, reason, created_at, n, kappa, kappa_ci };
}

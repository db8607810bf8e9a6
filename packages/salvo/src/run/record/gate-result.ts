import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/** The gates of a scenario, in the order in which they decide. */
export const gateNameSchema = z.enum([
  'min_pass_rate',
  'min_score',
  'min_pass_hat_k',
  'min_pass_at_k',
  'min_criteria',
  'max_cost_usd',
  'max_latency_seconds',
]);

/** A gate, and what the scored trials have for it. */
export const gateResultSchema = z.object({
  gate: gateNameSchema,
  /** k of pass^k and pass@k, the quantile (`p95`), or the criterion; null if the gate is the only one of its kind. */
  of: projectName(z.string()).nullable(),
  limit: z.number(),
  /** Null if unknown. */
  value: z.number().nullable(),
  /** 95%, of the value. Null if there are too few trials for one, or if all trials are one draw. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Whether the value is within the limit; null if the value is unknown. */
  met: z.boolean().nullable(),
  /** Why the value is unknown. */
  unknown: textFree(z.enum(['too_few_trials', 'no_price', 'no_time', 'no_criterion', 'nothing_scored'])).nullable(),
  /**
   * If the interval contains the limit, so that the outcome could be luck: about how many trials (with data: cases) in
   * all would tell. Null if it could not be luck, or if no number can be given.
   */
  needed: z.int().nullable(),
});

export type GateResult = z.infer<typeof gateResultSchema>;

/** Whether the interval contains the limit, so that more trials may turn the outcome. Nothing exceeds a share of 1. */
export function couldBeLuck({ gate, limit, interval }: Pick<GateResult, 'gate' | 'limit' | 'interval'>): boolean {
  if (!interval || (gate.startsWith('min_') && (limit <= 0 || limit >= 1))) return false;
  return limit >= interval[0] && limit <= interval[1];
}

import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/** The gates of a scenario, in the order in which they decide. */
const gateNameSchema = z.enum([
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

/** The rule that decided a scenario's verdict. */
export const decidedBySchema = z.enum([
  /** The first gate that was missed. `min_pass_rate` also of a PASS, which meets every rule. */
  ...gateNameSchema.options,
  /** A gate could not be computed, and no other was missed. */
  'unknown_gate',
  'required_assertion',
  /** The agent crashed alike in the first trials, so that the others were not started. */
  'equal_crashes',
  /** The comparison with a baseline: worse, or of a PASS, not worse by more than what is tolerated. */
  'baseline',
  /** All scenarios together are worse than the baseline, none of them alone is, and the pass rate of this one fell. */
  'baseline_together',
  /** The comparison does not decide. What was observed in all such scenarios together does. */
  'baseline_observed',
  /** The comparison does not decide, and this was not allowed. */
  'baseline_undecided',
  /** A case failed that the baseline does not have. */
  'new_cases',
  /** No trial of the run passed, so that not being worse than the baseline means nothing. */
  'nothing_passed',
  /** Trials could not be scored, and this was not allowed. */
  'unscored_trials',
  /** Trials were not run or not judged, and this was not allowed. */
  'missing_trials',
  'nothing_scored',
  /** Traces were only recorded. */
  'record_only',
  'nothing_recorded',
  /** The scenario was not run, as its file says. */
  'skip',
  /** The scenario is no part of the verdict of its run for now, as its file says. */
  'quarantine',
]);

export type DecidedBy = z.infer<typeof decidedBySchema>;

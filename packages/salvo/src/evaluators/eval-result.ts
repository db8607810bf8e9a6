import { z } from 'zod';
import { measurements, projectName } from '../secrets/text-marks.ts';

/** The result of one assertion for one trace. `unscored` means that it could not be evaluated. */
export const evalResultSchema = z.object({
  assertion_type: projectName(z.string()),
  assertion_id: projectName(z.string()),
  score: z.number().min(0).max(1),
  passed: z.boolean(),
  weight: z.number().nonnegative(),
  required: z.boolean(),
  status: z.enum(['scored', 'unscored']),
  details: z.string(),
  metadata: measurements(z.record(z.string(), z.unknown()), {
    judge_hash: { kind: 'text_free' },
    judge_model: { kind: 'foreign_name' },
    judge_adapter: { kind: 'foreign_name' },
  }).default({}),
});

export type EvalResult = z.infer<typeof evalResultSchema>;

/**
 * passed and failed were scored; hard_fail: a required assertion failed; crashed: the agent's own code threw, which is
 * scored 0; unscored: could not be scored.
 */
export const trialStatusSchema = z.enum(['passed', 'failed', 'hard_fail', 'crashed', 'unscored']);

export type TrialStatus = z.infer<typeof trialStatusSchema>;

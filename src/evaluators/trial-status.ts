import { z } from 'zod';

/**
 * passed and failed were scored; hard_fail: a required assertion failed; crashed: the agent's own code threw, which is
 * scored 0; unscored: could not be scored.
 */
export const trialStatusSchema = z.enum(['passed', 'failed', 'hard_fail', 'crashed', 'unscored']);

export type TrialStatus = z.infer<typeof trialStatusSchema>;

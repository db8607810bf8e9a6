import { z } from 'zod';

/** passed and failed were scored; hard_fail: a required assertion failed; unscored: could not be scored. */
export const trialStatusSchema = z.enum(['passed', 'failed', 'hard_fail', 'unscored']);

export type TrialStatus = z.infer<typeof trialStatusSchema>;

import { z } from 'zod';

/** passed and failed were scored; hard_fail is a failure of a required assertion; unscored could not be told. */
export const trialStatusSchema = z.enum(['passed', 'failed', 'hard_fail', 'unscored']);

export type TrialStatus = z.infer<typeof trialStatusSchema>;

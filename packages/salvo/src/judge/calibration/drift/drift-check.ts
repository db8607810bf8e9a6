import { z } from 'zod';
import { textFree } from '../../../secrets/text-marks.ts';
import { atLeastSchema } from '../../../trace/cost-fields.ts';

/** Whether a judge still says what it said when it was calibrated. A document: stored and printed as it is. */
export const driftCheckSchema = () =>
  z.object({
    judge_hash: textFree(z.string()),
    /** `unchecked`: it could not be checked, and `sentence` says why. */
    outcome: z.enum(['unchanged', 'changed', 'unchecked']),
    /** When the judge was calibrated; null if it never was. */
    calibrated_at: textFree(z.string()).nullable(),
    /** Anchors that the calibration has, and those on which now could be compared with then. */
    anchors: z.int().nonnegative(),
    compared: z.int().nonnegative(),
    calls: z.int().nonnegative(),
    /** Mean of the scores now minus those of then, from -1 to 1, with a 95% interval over anchors. */
    shift: z.number().nullable(),
    shift_ci: z.tuple([z.number(), z.number()]).nullable(),
    /** The mean size of the differences, whichever way they go. */
    change: z.number().nullable(),
    /** Of votes that vary: how likely such a difference is if nothing has changed. Null for decisions. */
    p: z.number().nullable(),
    sentence: z.string(),
    judge_cost_usd: z.number().nullable(),
    judge_cost_at_least: atLeastSchema.optional(),
  });

export type DriftCheck = z.infer<ReturnType<typeof driftCheckSchema>>;

import { z } from 'zod';

/** The result of one assertion for one trace. `unscored` means that it could not be evaluated. */
export const evalResultSchema = z.object({
  assertion_type: z.string(),
  assertion_id: z.string(),
  score: z.number().min(0).max(1),
  passed: z.boolean(),
  weight: z.number().nonnegative(),
  required: z.boolean(),
  status: z.enum(['scored', 'unscored']),
  details: z.string(),
  metadata: z.record(z.string(), z.unknown()).default({}),
});

export type EvalResult = z.infer<typeof evalResultSchema>;

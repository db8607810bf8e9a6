import { z } from 'zod';

/** What one assertion said of one trace. `unscored` is the third outcome: it could not be told. */
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

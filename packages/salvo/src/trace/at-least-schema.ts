import { z } from 'zod';
import type { AtLeast } from '../stats/cost.ts';

/** In documents, beside a cost in US dollars that is null. Documents of earlier versions do not have it. */
export const atLeastSchema = z.object({
  usd: z.number(),
  calls_unknown: z.int().nonnegative(),
  killed: z.boolean().optional(),
}) satisfies z.ZodType<AtLeast>;

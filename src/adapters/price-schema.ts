import { z } from 'zod';

/** US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input_per_million: z.number().nonnegative(),
  output_per_million: z.number().nonnegative(),
  cache_read_per_million: z.number().nonnegative().optional(),
  cache_write_per_million: z.number().nonnegative().optional(),
});

export type Price = z.infer<typeof priceSchema>;

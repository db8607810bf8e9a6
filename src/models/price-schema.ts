import { z } from 'zod';

/** US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input_per_million: z.number().nonnegative().describe('US dollars for a million tokens read.'),
  output_per_million: z.number().nonnegative().describe('US dollars for a million tokens written.'),
  cache_read_per_million: z.number().nonnegative().optional().describe('For tokens read from the cache.'),
  cache_write_per_million: z.number().nonnegative().optional().describe('For tokens written to the cache.'),
});

export type Price = z.infer<typeof priceSchema>;

import { z } from 'zod';
import { vulnerabilitySchema } from '../../match/claims/vulnerability.ts';
import { DIFFICULTIES, STRATEGIES } from '../game-settings.ts';
import type { RedOutcome } from '../red/red-team.ts';

const files = z.record(z.string(), z.string());
const figure = z.number().nonnegative().nullable();

/** What a Red made, as it is kept between two goes at an experiment. */
export const redOutcomeSchema: z.ZodType<RedOutcome> = z.object({
  files,
  vulnerabilities: z.array(vulnerabilitySchema),
  metadata: z.object({
    red: z.string(),
    seed: z.int(),
    strategy: z.enum(STRATEGIES),
    difficulty: z.enum(DIFFICULTIES),
    language: z.enum(['terraform', 'cloudformation']),
    provider: z.string(),
    template: z.string().nullable(),
    twin: files.nullable(),
    clean_resources: z.array(z.string()),
    proven: z.boolean(),
    model_calls: z.int().nonnegative(),
    input_tokens: figure,
    output_tokens: figure,
    cost_usd: figure,
  }),
});

import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { vulnerabilitySchema } from '../match/claims/vulnerability.ts';
import type { RedOutcome } from '../red/red-team.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../tasks/game-settings.ts';

const files = z.record(z.string(), z.string());
const amount = z.number().nonnegative().nullable();

/** What a Red made, as it is stored until an experiment is resumed. */
export const redOutcomeSchema: z.ZodType<RedOutcome> = z.object({
  files,
  vulnerabilities: z.array(vulnerabilitySchema),
  metadata: z.object({
    red: z.string(),
    seed: z.int(),
    strategy: z.enum(STRATEGIES),
    difficulty: z.enum(DIFFICULTIES),
    language: z.enum(LANGUAGES),
    provider: z.string(),
    template: z.string().nullable(),
    twin: files.nullable(),
    clean_resources: z.array(z.string()),
    present_before: z.array(z.object({ weakness: z.string(), resource: z.string() })),
    proven: z.boolean(),
    model_calls: z.int().nonnegative(),
    input_tokens: amount,
    output_tokens: amount,
    cost_usd: amount,
    cost_at_least: atLeastSchema.optional(),
  }),
});

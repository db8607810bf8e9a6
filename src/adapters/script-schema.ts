import { z } from 'zod';

const scriptToolCallSchema = z.strictObject({
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const scriptTurnSchema = z
  .strictObject({
    content: z.string().optional(),
    tool_calls: z.array(scriptToolCallSchema).optional(),
    usage: z.strictObject({ input_tokens: z.int().nonnegative(), output_tokens: z.int().nonnegative() }).optional(),
    delay_ms: z.number().nonnegative().max(600_000).optional(),
    error: z
      .strictObject({ status: z.int().min(400).max(599), message: z.string().default('scripted error') })
      .optional(),
  })
  .meta({ title: 'Scripted turn' });

const scriptTurnsSchema = z.array(scriptTurnSchema).min(1);

/** What the scripted adapter says: a list of turns, or several lists of which each trial draws one by weight. */
export const scriptSchema = z.union([
  scriptTurnsSchema,
  z.strictObject({
    variants: z.array(z.strictObject({ weight: z.number().positive().default(1), turns: scriptTurnsSchema })).min(1),
  }),
]);

export type ScriptTurn = z.infer<typeof scriptTurnSchema>;
export type Script = z.infer<typeof scriptSchema>;

import { z } from 'zod';

const scriptToolCallSchema = z.strictObject({
  name: z.string().min(1).describe('The tool that is called.'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('What it is called with.'),
});

const usageSchema = z.strictObject({
  input_tokens: z.int().nonnegative().describe('Tokens read.'),
  output_tokens: z.int().nonnegative().describe('Tokens written.'),
});

const scriptTurnSchema = z
  .strictObject({
    content: z.string().optional().describe('What is said.'),
    tool_calls: z.array(scriptToolCallSchema).optional().describe('The tools that are called in this turn.'),
    usage: usageSchema.optional().describe('The tokens this turn counts as; its cost is unknown without.'),
    delay_ms: z.number().nonnegative().max(600_000).optional().describe('How long the turn takes.'),
    error: z
      .strictObject({
        status: z.int().min(400).max(599).describe('The HTTP status, such as 429 or 529.'),
        message: z.string().default('scripted error').describe('What the provider says.'),
      })
      .optional()
      .describe('The request fails; when it is sent again, it takes the next turn.'),
  })
  .meta({ title: 'Scripted turn' });

const scriptTurnsSchema = z.array(scriptTurnSchema).min(1);

/** What the scripted adapter says: a list of turns, or several lists of which each trial draws one by weight. */
export const scriptSchema = z.union([
  scriptTurnsSchema,
  z.strictObject({
    variants: z
      .array(
        z.strictObject({
          weight: z.number().positive().default(1).describe('How often it is drawn, against the other variants.'),
          turns: scriptTurnsSchema.describe('What is said, turn by turn.'),
        }),
      )
      .min(1)
      .describe('Each trial draws one of these, from the seed and its number.'),
  }),
]);

export type ScriptTurn = z.infer<typeof scriptTurnSchema>;
export type Script = z.infer<typeof scriptSchema>;

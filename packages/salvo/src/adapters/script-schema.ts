import { z } from 'zod';

const scriptToolCallSchema = z.strictObject({
  name: z.string().min(1).describe('The tool that is called.'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('The arguments of the call.'),
});

const usageSchema = z.strictObject({
  input_tokens: z.int().nonnegative().describe('Tokens read.'),
  output_tokens: z.int().nonnegative().describe('Tokens written.'),
});

const scriptTurnSchema = z
  .strictObject({
    content: z.string().optional().describe('The text of the answer.'),
    tool_calls: z.array(scriptToolCallSchema).optional().describe('The tools that are called in this turn.'),
    usage: usageSchema.optional().describe('The tokens of this turn; without them, its cost is unknown.'),
    delay_ms: z.number().nonnegative().max(600_000).optional().describe('How long the turn takes.'),
    error: z
      .strictObject({
        status: z.int().min(400).max(599).describe('The HTTP status, such as 429 or 529.'),
        message: z.string().default('scripted error').describe('The message of the provider.'),
      })
      .optional()
      .describe('The request fails; when it is sent again, it takes the next turn.'),
  })
  .meta({ title: 'Scripted turn' });

const scriptTurnsSchema = z.array(scriptTurnSchema).min(1);

/** A list of turns, or several lists of which each trial chooses one by weight. */
const plainScriptSchema = z.union([
  scriptTurnsSchema,
  z.strictObject({
    variants: z
      .array(
        z.strictObject({
          weight: z.number().positive().default(1).describe('How often it is chosen, relative to the other variants.'),
          turns: scriptTurnsSchema.describe('The answers, turn by turn.'),
        }),
      )
      .min(1)
      .describe('Each trial chooses one of these, by the seed and its number.'),
  }),
]);

/** The answers of the scripted adapter: the same for every model, or a script for each. */
export const scriptSchema = z.union([
  ...plainScriptSchema.options,
  z.strictObject({
    models: z
      .record(z.string().min(1), plainScriptSchema)
      .describe('A script for each model: `salvo run --models` compares them.'),
  }),
]);

export type ScriptTurn = z.infer<typeof scriptTurnSchema>;
export type Script = z.infer<typeof scriptSchema>;

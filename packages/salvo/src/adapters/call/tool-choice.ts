import { z } from 'zod';

/** Which tools the model may or must call. */
export type ToolChoice = { type: 'auto' | 'none' | 'required' } | { type: 'tool'; name: string };

const mode = z.enum(['auto', 'none', 'required']);

const toolChoiceSchema = z
  .union([
    mode.transform((type): ToolChoice => ({ type })),
    z.object({ type: mode }),
    z.object({ type: z.literal('any') }).transform((): ToolChoice => ({ type: 'required' })),
    z
      .object({ type: z.literal('function'), function: z.object({ name: z.string() }) })
      .transform((choice): ToolChoice => ({ type: 'tool', name: choice.function.name })),
    z.object({ type: z.literal('tool'), name: z.string() }),
  ])
  .optional()
  .catch(undefined);

/** `extras.tool_choice` in OpenAI's or in Anthropic's format; undefined when it is missing or in neither. */
export function requestedToolChoice(extras: Record<string, unknown> | undefined): ToolChoice | undefined {
  return toolChoiceSchema.parse(extras?.tool_choice);
}

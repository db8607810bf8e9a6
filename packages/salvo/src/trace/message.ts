import { z } from 'zod';
import { foreignName } from '../secrets/text-marks.ts';

/** One call of a tool, as the model asked for it. */
export const toolCallSchema = z.object({
  id: foreignName(z.string()),
  name: foreignName(z.string()),
  arguments: z.record(z.string(), z.unknown()),
  /** Set when the model's arguments were not a JSON object: the text it sent. `arguments` is then empty. */
  raw_arguments: z.string().optional(),
});

const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() });
const userMessageSchema = z.object({ role: z.literal('user'), content: z.string() });
const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  tool_calls: z.array(toolCallSchema).default([]),
  /** What the model thought before it answered, where the agent reports it. */
  reasoning: z.string().optional(),
  /** What the provider wants back unchanged on the next turn, such as signed thinking blocks. */
  provider_state: z.unknown().optional(),
});
const toolResultMessageSchema = z.object({
  role: z.literal('tool_result'),
  tool_call_id: foreignName(z.string()),
  name: foreignName(z.string()),
  content: z.string(),
  is_error: z.boolean().default(false),
  /** The call was refused before it was executed, as by a person who was asked to approve it. */
  refused: z.boolean().optional(),
});

export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolResultMessageSchema,
]);

export type ToolCall = z.infer<typeof toolCallSchema>;
export type Message = z.infer<typeof messageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolResultMessage = z.infer<typeof toolResultMessageSchema>;

/**
 * The final answer of a conversation: what the agent's last message says, also if the user or a tool has the last word.
 * Null if that message only calls tools: an older text would be the answer to another question.
 */
export function finalContent(messages: readonly Message[]): string | null {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.content ?? null;
}

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

const tokens = z.number().nonnegative().optional();

/** What one step of a model took: one request and its answer. A figure that nobody told is missing, and never 0. */
export const stepSchema = z.object({
  model: foreignName(z.string()).optional(),
  /** From the request to the answer, without tools. */
  latency_seconds: z.number().nonnegative().optional(),
  /** With those that were read from or written to the provider's cache. */
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  cost_usd: z.number().nonnegative().optional(),
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
  /** Which agent wrote it, where an SDK names it: another one after a handoff, or a sub-agent. */
  agent: foreignName(z.string()).optional(),
  /** The figures of this answer alone, where the SDK or a recorded trace tells them. */
  step: stepSchema.optional(),
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

export type Step = z.infer<typeof stepSchema>;
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

/** The last message if it is the agent's; null if the conversation ended with a tool result or a user message. */
export function lastAnswer(messages: readonly Message[]): string | null {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.content : null;
}

/** The id of the call that a recorded message makes or answers. */
export function callIdOf(message: Message): string | undefined {
  if (message.role === 'tool_result') return message.tool_call_id;
  return message.role === 'assistant' ? message.tool_calls[0]?.id : undefined;
}
